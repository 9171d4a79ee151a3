// What a fuzzer is, which there are, and how one says that something does not hold.
import Glibc
import JSONDocument

protocol Fuzzer: AnyObject {
    /// Returns when all is as it must be; else does not return.
    func run(_ bytes: UnsafeRawBufferPointer)
}

enum FuzzerName: String, CaseIterable {
    /// Message bytes: normalised, looked at, answered, written back.
    case message
    /// What rules return.
    case decision
    /// app.lua and a file of rules.
    case app
    case state
    case device
    /// What a child could say to its parent.
    case answer
    /// What a parent could say to its child.
    case question

    func make() -> any Fuzzer {
        switch self {
        case .message: MessageFuzzer()
        case .decision: DecisionFuzzer()
        case .app: AppFuzzer()
        case .state: StateFuzzer()
        case .device: DeviceFuzzer()
        case .answer: AnswerFuzzer()
        case .question: QuestionFuzzer()
        }
    }
}

/// For C, which has no place to keep it.
enum Chosen {
    // SAFETY: libFuzzer calls from one thread, the one that set it.
    nonisolated(unsafe) static var fuzzer: (any Fuzzer)?

    static func run(_ bytes: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
        fuzzer?.run(UnsafeRawBufferPointer(start: bytes, count: size))
        return 0
    }
}

/// libFuzzer's own main, which is linked and not used, wants this name.
@_cdecl("LLVMFuzzerTestOneInput") func onlyNamed(_ bytes: UnsafePointer<UInt8>?, _ size: Int) -> CInt { Chosen.run(bytes, size) }

func demand(_ holds: Bool, _ what: @autoclosure () -> String) {
    guard !holds else { return }
    let line = Array("does not hold: \(what())\n".utf8)
    _ = write(2, line, line.count)
    abort()
}

/// Ends the run where something was thrown that must not be.
func must<Value>(_ what: String, _ body: () throws -> Value) -> Value {
    do {
        return try body()
    } catch {
        demand(false, "\(what): \(error)")
        abort()
    }
}

func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

func demandJSON(_ bytes: [UInt8], _ what: String) {
    let document = JSONDocument()
    must("\(what) is JSON: \(text(bytes))") { try document.read(bytes, limit: 64 << 20, depth: 160) }
    demand(!document.hasShadowedMembers, "\(what) has each key once: \(text(bytes))")
}

/// Numbers that depend on the bytes and on nothing else.
struct Dice {
    private let bytes: UnsafeRawBufferPointer
    private var place = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    var isEmpty: Bool { place >= bytes.count }

    /// 0 at the end of the bytes.
    mutating func byte() -> UInt8 {
        guard place < bytes.count else { return 0 }
        defer { place += 1 }
        return bytes[place]
    }

    mutating func below(_ limit: Int) -> Int { Int(byte()) % limit }
    mutating func pick<Value>(_ values: [Value]) -> Value { values[below(values.count)] }
}
