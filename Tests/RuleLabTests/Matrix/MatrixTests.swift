// A message in every combination: each is decided as anywhere else, on the phone that the combination says.
import JSONDocument
import PushMessage
import RuleEngine
import Testing

@testable import RuleLab

struct MatrixTests {
    private static let message = Array(#"{"aps":{"alert":"Hello"},"message_id":"m-1","channel":"offers","room":"r-7"}"#.utf8)
    private static let noon = Instant(milliseconds: 1_767_268_800_000)

    private static func question(_ device: String = #"{"recipient":"u-1"}"#, event: String? = nil) -> MatrixQuestion {
        MatrixQuestion(message: message, device: Array(device.utf8), event: event.map { Array($0.utf8) }, now: noon)
    }

    private static let rules = """
        rule "Quiet at night" { on = { "send", "present" }, quiet = { "21:00", "08:00", otherwise = "defer" } }
        rule "Quiet in the room" { on = "present", when = function(msg, device) return device:is_showing("chat", msg.data.room) end,
          decide = suppress "open" }
        rule "To the room" { on = "open", decide = function(msg) return route { tab = "chat", path = { msg.data.room } } end }
        """
    private static let manifest = #"return { api = 1, tabs = { "home", "chat" }, channels = { offers = { default = false } } }"#

    private static func matrix(
        _ evaluator: any RuleEvaluating, _ inputs: [MatrixInput], _ question: MatrixQuestion = question()
    ) throws -> Matrix {
        let grid = try #require(MatrixGrid(inputs))
        let matrix = try Matrix(evaluator, question, grid)
        return try #require(matrix)
    }

    @Test("By default the states, the screens, the permission and the switches vary; screens are tabs and where the rules lead")
    func defaults() throws {
        let evaluator = try LoadedRules.evaluator(Self.rules, manifest: Self.manifest)
        let inputs = try MatrixDefaults.inputs(of: evaluator, Self.question())
        #expect(inputs.map(\.name) == ["state", "screen", "permission", "app_push", "channel.offers"])
        #expect(inputs[0].values.map(\.label) == ["foreground", "inactive", "background", "terminated", "force_quit"])
        #expect(inputs[1].values.map(\.label) == ["home", "chat", "chat › r-7", "chat › another"])
        #expect(Set(inputs[2].values.map(\.label)) == Set(Permission.allCases.map(\.rawValue)))
        #expect(inputs[4].values.map(\.label) == ["on", "off"])
    }

    @Test("An app without tabs whose rules lead nowhere has no screens, and a message without a channel no switch of one")
    func bare() throws {
        let evaluator = try LoadedRules.evaluator("")
        var question = Self.question()
        question.message = Array(#"{"aps":{"alert":"Hello"}}"#.utf8)
        #expect(try MatrixDefaults.inputs(of: evaluator, question).map(\.name) == ["state", "permission", "app_push"])
    }

    @Test("Every combination is answered as that phone would be by itself")
    func same() throws {
        let evaluator = try LoadedRules.evaluator(Self.rules, manifest: Self.manifest)
        let question = Self.question()
        let inputs = try MatrixDefaults.inputs(of: evaluator, question) + [VaryText.read("now=07:59,08:00"), VaryText.read("tap=on,off")]
        let matrix = try Self.matrix(evaluator, inputs)
        let grid = matrix.grid
        #expect(matrix.places.count == grid.count && grid.count == 5 * 4 * 6 * 2 * 2 * 2 * 2)
        let messages = MessageReader()
        let devices = DeviceReader()
        for number in stride(from: 0, to: grid.count, by: 7) {
            let labels = Dictionary(
                uniqueKeysWithValues: zip(inputs, grid.places(of: number)).map { ($0.name, $0.values[$1].label) })
            let screen = try #require(labels["screen"]).split(separator: " › ").map(String.init)
            let path = screen.dropFirst().map { "\"\($0)\"" }.joined(separator: ",")
            let device =
                #"{"recipient":"u-1","state":"\#(labels["state"] ?? "")","screen":{"tab":"\#(screen[0])","path":[\#(path)]},"#
                + #""permission":"\#(labels["permission"] ?? "")","app_push":\#(labels["app_push"] == "on"),"#
                + #""channels":{"offers":\#(labels["channel.offers"] == "on")},"tap":\#(labels["tap"] == "on")}"#
            let read = try Array(device.utf8).withUnsafeBytes { try devices.read($0) }
            let message = try messages.read(Self.message, for: read.messageContext)
            let now = try #require(Instant("2026-01-01T\(labels["now"] ?? ""):00Z"))
            let alone = evaluator.evaluateJourney(
                EvaluationRequest(message: message, device: read, event: Event(.send), now: now)
            ).evaluations.map(\.decision)
            let answer = matrix.answers[matrix.places[number]]
            #expect(AnswerMark.of(alone, read.state) == AnswerMark.of(answer.decisions, answer.state), "\(labels)")
        }
    }

    @Test("A time on the clock is that of the zone where the phone is, also when zones vary")
    func clocks() throws {
        let evaluator = try LoadedRules.evaluator(#"rule "Night" { on = "send", quiet = { "21:00", "08:00" } }"#)
        let inputs = try [VaryText.read("timezone=Asia/Seoul,America/New_York,null"), VaryText.read("now=07:59,08:00,20:59,21:00")]
        let matrix = try Self.matrix(evaluator, inputs)
        let shown = matrix.places.map { matrix.answers[$0].decisions.first?.display?.action == .show }
        #expect(shown == Array(repeating: [false, true, true, false], count: 3).flatMap { $0 })
    }

    @Test("Events vary like anything else, and each combination begins with the same memory")
    func events() throws {
        let evaluator = try LoadedRules.evaluator(
            Self.rules + #"rule "Count" { on = "send", decide = { badge = "+1" } }"#)
        let inputs = try [VaryText.read("event=journey,open,resume"), VaryText.read("locale=ko,en,de")]
        let matrix = try Self.matrix(evaluator, inputs)
        #expect(matrix.answers.map { $0.decisions.map(\.event) } == [[.send], [.open], [.resume]])
        #expect(matrix.answers[0].decisions[0].badge?.value == 1)
        #expect(matrix.table.matters(0) && !matrix.table.matters(1))
    }

    @Test("Fields of the base stay unless they are set, and inside of an object only what is set changes")
    func base() throws {
        let document = JSONDocument()
        try document.read(#"{"recipient":"u-1","channels":{"a":true,"b":false},"screen":{"tab":"x","path":["y"]},"badge":3}"#)
        func text(_ fields: [DeviceField]) -> String { String(decoding: JSONLine.device(document.root, with: fields), as: UTF8.self) }
        #expect(
            text([DeviceField("channels", "b", isOn: true), DeviceField("badge", json: nil), DeviceField("tap", isOn: true)])
                == #"{"recipient":"u-1","channels":{"a":true,"b":true},"screen":{"tab":"x","path":["y"]},"tap":true}"#)
        #expect(
            text([DeviceField("screen", json: JSONLine.screen(tab: "z", path: [])), DeviceField("channels", "a", json: nil)])
                == #"{"recipient":"u-1","channels":{"b":false},"screen":{"tab":"z"},"badge":3}"#)
        #expect(
            text([
                DeviceField("state", text: "inactive"), DeviceField("state", text: "background"), DeviceField("os", "version", text: "13"),
            ])
            .hasSuffix(#""badge":3,"state":"background","os":{"version":"13"}}"#))
    }

    @Test("Warnings are told once, and a rule that fails is an answer of its own")
    func warnings() throws {
        let evaluator = try LoadedRules.evaluator(
            #"rule "Bad" { on = "send", state = "background", decide = function(msg, device) return device.nothing.at_all end }"#)
        let inputs = try [VaryText.read("state=background,terminated,force_quit")]
        let matrix = try Self.matrix(evaluator, inputs, Self.question("{}"))
        #expect(matrix.hasErrors && matrix.answers.count == 2)
        #expect(matrix.warnings.map(\.code.rawValue).sorted() == ["no_recipient", "unknown_field"])
    }

    @Test("It ends when nobody wants it any more")
    func ends() throws {
        let evaluator = try LoadedRules.evaluator("")
        let inputs = [try VaryText.read("badge=1,2,3")]
        let grid = try #require(MatrixGrid(inputs))
        #expect(try Matrix(evaluator, Self.question(), grid) { $0 < 2 } == nil)
    }

    @Test("A message or a phone that cannot be read says so")
    func faults() throws {
        let evaluator = try LoadedRules.evaluator("")
        let grid = try #require(MatrixGrid([]))
        var question = Self.question()
        question.message = Array("{".utf8)
        #expect {
            _ = try Matrix(evaluator, question, grid)
        } throws: { if case MatrixFault.message = $0 { true } else { false } }
        #expect {
            _ = try Matrix(evaluator, Self.question(#"{"state":"asleep"}"#), grid)
        } throws: { if case MatrixFault.request = $0 { true } else { false } }
    }

    @Test("More combinations than a number can count are no grid")
    func overflow() throws {
        let many = try VaryText.read("badge=" + (0..<100).map(String.init).joined(separator: ","))
        #expect(MatrixGrid(Array(repeating: many, count: 9))?.count == 1_000_000_000_000_000_000)
        #expect(MatrixGrid(Array(repeating: many, count: 10)) == nil)
    }
}
