// The words of a command line, before any verb has seen them.
import Testing

@testable import rulehost

struct ArgumentParserTests {
    private func parse(_ words: String...) throws(CommandFault) -> Arguments {
        try ArgumentParser(verbs: Program.verbs).parse(words)
    }

    private func code(_ words: String...) -> String? {
        do throws(CommandFault) {
            _ = try ArgumentParser(verbs: Program.verbs).parse(words)
            return nil
        } catch {
            return error.code
        }
    }

    @Test("Flags stand before the verb, behind it, and between operands")
    func places() throws {
        for arguments in [
            try parse("--app", "chat", "eval", "a", "b"), try parse("eval", "--app", "chat", "a", "b"),
            try parse("eval", "a", "--app=chat", "b"), try parse("eval", "a", "b", "--app", "chat"),
        ] {
            #expect(arguments.verb?.name == "eval")
            #expect(arguments[.app] == "chat")
            #expect(arguments.operands == ["a", "b"])
        }
    }

    @Test("Two dashes end the flags, one dash is an operand")
    func dashes() throws {
        #expect(try parse("eval", "-", "--", "--app", "-").operands == ["-", "--app", "-"])
    }

    @Test("The last one counts, and of a flag that repeats all do")
    func repetition() throws {
        let arguments = try parse("eval", "--app", "a", "--app", "b", "--path", "x,y", "--path", "z")
        #expect(arguments[.app] == "b")
        #expect(arguments.all(.path) == ["x,y", "z"])
    }

    @Test("A value may begin with one dash, hold an equals sign, or be empty")
    func values() throws {
        #expect(try parse("eval", "--badge", "-1")[.badge] == "-1")
        #expect(try parse("eval", "--set", "channel.promo=off").all(.set) == ["channel.promo=off"])
        #expect(try parse("eval", "--set=channel.promo=off").all(.set) == ["channel.promo=off"])
        #expect(try parse("eval", "--recipient=")[.recipient] == "")
        #expect(try parse("eval", "--recipient=--x")[.recipient] == "--x")
    }

    @Test("A flag whose value may be left out never takes the next word")
    func optionalValues() throws {
        let arguments = try parse("eval", "--trace", "message.json")
        #expect(arguments[.trace] == "rules")
        #expect(arguments.operands == ["message.json"])
        #expect(try parse("eval", "--trace=rules")[.trace] == "rules")
        #expect(code("eval", "--trace=words") == "invalid_value")
    }

    @Test("Every fault of a word has its code")
    func faults() {
        #expect(code("evla") == "unknown_verb")
        #expect(code("eval", "--nonsense") == "unknown_flag")
        #expect(code("eval", "-x") == "unknown_flag")
        #expect(code("inspect", "--tap") == "unknown_flag")
        #expect(code("eval", "--app") == "missing_value")
        #expect(code("eval", "--tap=1") == "needless_value")
        #expect(code("eval", "--state", "dreaming") == "invalid_value")
        #expect(code() == nil)
    }

    @Test("A form is one that the verb knows")
    func formats() throws {
        #expect(try parse("eval").format == .human)
        #expect(try parse("eval").chosenFormat == nil)
        #expect(try parse("eval", "--format", "json").format == .json)
        #expect(code("eval", "--format", "junit") == "invalid_value")
    }
}
