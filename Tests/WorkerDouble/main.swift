// A child for tests: it works as the real one does, but a question that has "double:" and a word in its message makes it do
// what a child could do that was taken over. With the word "parent" it is a parent, whose end its child must not survive;
// with "ask" one that asks with the titles behind it and prints what came of each.
import CRuleWorker
import CWorkerDeeds
import Glibc
import PushMessage
import RuleEngine
import RuleWorkers

let arguments = CommandLine.arguments
if arguments.first == WorkerProcess.name { exit(WorkerProcess.run(arguments, probe: Deeds.probe)) }
if arguments.count == 2, arguments[1] == "parent" { exit(Parent.run()) }
if arguments.count > 2, arguments[1] == "ask" { exit(Parent.ask(arguments[2...])) }
exit(2)

enum Deeds {
    // SAFETY: a child has one thread.
    private nonisolated(unsafe) static var ordinal: UInt32 = 0

    static var probe: WorkerProbe {
        WorkerProbe(
            question: { question in
                if let word = word(in: question) { act(word) }
            },
            answer: { question, answer in
                if let word = word(in: question) { falsify(word, &answer) }
                ordinal += 1
            })
    }

    /// What stands behind "double:" up to the next quote.
    private static func word(in question: UnsafeRawBufferPointer) -> String? {
        let mark = Array("double:".utf8)
        guard question.count > mark.count else { return nil }
        for place in 0..<(question.count - mark.count) where question[place] == mark[0] {
            guard question[place..<(place + mark.count)].elementsEqual(mark) else { continue }
            return String(decoding: question[(place + mark.count)...].prefix { $0 != UInt8(ascii: "\"") }, as: UTF8.self)
        }
        return nil
    }

    private static func act(_ word: String) {
        switch word {
        case "segfault": UnsafeMutablePointer<Int>(bitPattern: 16)?.pointee = 1
        case "abort": abort()
        case "leave": _exit(7)
        case "spin": while true {}
        case "wait":
            var byte: UInt8 = 0
            while rw_read(&byte, 1) > 0 {}
        case "close": close(RW_SOCKET)
        case "garbage": write((0..<4096).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 11) })
        case "length": write([255, 255, 255, 255, 19])
        case "kind": write([0, 0, 0, 0, 99])
        case "out-of-turn": write([0, 0, 0, 0, 16])
        case "zones": while true { write([3, 0, 0, 0, 20, 65, 47, 66]) }
        case "zone-name": write([2, 0, 0, 0, 20, 0xFF, 0xFE])
        case "early": write([0, 0, 0, 0, 19])
        case "half":
            write([100, 0, 0, 0, 19, 1, 2, 3])
            _exit(0)
        case "leave-well": _exit(0)
        case "eat":
            while malloc(1 << 16) != nil {}
            while malloc(16) != nil {}
        default:
            switch wd_call(word) {
            // It was not stopped and got what it wanted; where that is harmless, or was refused, it goes on.
            case 0: _exit(8)
            default: break
            }
        }
    }

    private static func write(_ bytes: [UInt8]) { bytes.withUnsafeBytes { if !rw_write_all($0.baseAddress!, $0.count) { _exit(0) } } }

    private static func falsify(_ word: String, _ answer: inout [UInt8]) {
        switch word {
        case "twice":
            let number = { (value: UInt32) in (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) } }
            write(number(UInt32(answer.count + 4)) + [19] + number(ordinal) + answer)
        case "other-message": replace("m-1", by: "m-2", in: &answer)
        case "other-recipient": replace("u-1", by: "u-2", in: &answer)
        case "other-app": replace("victim", by: "friend", in: &answer)
        case "other-event": replace("present", by: "receive", in: &answer)
        case "short": answer.removeLast()
        case "long": answer.append(0)
        case "not-utf8": replace("victim", by: "vic\u{1}im", in: &answer, with: 0xFF)
        default: break
        }
    }

    private static func replace(_ text: String, by other: String, in answer: inout [UInt8], with byte: UInt8? = nil) {
        let (text, other) = (Array(text.utf8), Array(other.utf8).map { $0 == 1 ? byte ?? 1 : $0 })
        var place = 0
        while place + text.count <= answer.count {
            if answer[place..<(place + text.count)].elementsEqual(text) {
                answer.replaceSubrange(place..<(place + text.count), with: other)
            }
            place += 1
        }
    }
}

enum Parent {
    /// For each title a line with the answer's errors.
    static func ask(_ titles: ArraySlice<String>) -> Int32 {
        let pool = WorkerPool()
        let files = [SourceFile(path: "app.lua", bytes: Array("return { api = 1, guards = { duplicate = false } }".utf8))]
        let app: WorkerApp
        switch pool.load(app: "app", files: files) {
        case .loaded(let loaded): app = loaded
        case .failed(let faults):
            for fault in faults { print("\(fault.code.rawValue): \(fault.message)") }
            return 4
        }
        let reader = MessageReader()
        for title in titles {
            // Its children are gone, and so may be the program's file.
            if title == "pause" {
                sleep(2)
                pool.processes.forEach { kill($0, SIGKILL) }
                usleep(100_000)
            }
            let text = Array(#"{"aps":{"alert":"\#(title)"}}"#.utf8)
            do {
                let message = try text.withUnsafeBytes { try reader.read($0) }
                let answer = app.evaluate(
                    EvaluationRequest(message: message, device: Device(), event: Event(.send), now: Instant(milliseconds: 0)))
                print(answer.decision.errors.map { "\($0.code): \($0.message)" }.first ?? "decided")
            } catch {
                return 3
            }
        }
        return 0
    }

    /// Starts a child, says which, and stays.
    static func run() -> Int32 {
        let pool = WorkerPool()
        let files = [SourceFile(path: "app.lua", bytes: Array("return { api = 1 }".utf8))]
        guard case .loaded = pool.load(app: "app", files: files), let child = pool.processes.first else { return 1 }
        let line = Array("\(child)\n".utf8)
        _ = Glibc.write(1, line, line.count)
        while true { pause() }
    }
}
