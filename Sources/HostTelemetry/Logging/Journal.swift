// What happens in a host, for people and their programs: one line each on the error output. Nothing of a message, no token, and nobody's
// name gets here: fields are what a host does, never what it is asked.
import EffectStore
import Glibc
import JSONDocument
public import PushMessage
public import RuleHosting
import Synchronization

public final class Journal: Sendable {
    public enum Format: String, Sendable, CaseIterable { case json, text }
    public enum Level: String, Sendable { case info, warning, error }

    /// Else only what does not go as it should.
    private let tellsAll: Bool

    private let format: Format
    private let clock: @Sendable () -> Instant
    private let lines: LineThread<[UInt8]>
    let written = Atomic(0)
    let dropped = Atomic(0)

    /// - Parameters:
    ///   - tellsAll: also what goes as it should.
    ///   - descriptor: where lines go; others may write there as well.
    public init(
        _ format: Format, tellsAll: Bool = true, to descriptor: Int32 = 2, clock: @escaping @Sendable () -> Instant = HostClock.now
    ) throws(TelemetryFault) {
        self.format = format
        self.tellsAll = tellsAll
        self.clock = clock
        lines = try LineThread(most: 1_000, bytes: 1 << 20) { turn in
            for line in turn.items { Journal.write(line, to: descriptor) }
        }
    }

    deinit { end() }

    /// Returns when all lines are written.
    public func end() { lines.end() }

    /// - Parameters:
    ///   - event: a word that programs look for.
    ///   - fields: values are texts, numbers or switches.
    public func log(_ level: Level, _ event: String, app: String? = nil, _ fields: [(name: String, value: Field)] = []) {
        if level == .info, !tellsAll { return }
        let line = format == .json ? json(level, event, app, fields) : text(level, event, app, fields)
        if lines.offer(line, bytes: line.count) {
            written.wrappingAdd(1, ordering: .relaxed)
        } else {
            dropped.wrappingAdd(1, ordering: .relaxed)
        }
    }

    public enum Field: Sendable, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
        case text(String)
        case number(Int)

        public init(stringLiteral text: String) { self = .text(text) }
        public init(integerLiteral number: Int) { self = .number(number) }
    }

    private func json(_ level: Level, _ event: String, _ app: String?, _ fields: [(name: String, value: Field)]) -> [UInt8] {
        var writer = JSONWriter(reserving: 256)
        writer.beginObject()
        for (key, value) in [("time", clock().text), ("level", level.rawValue), ("event", event), ("app", app)] {
            guard let value else { continue }
            writer.key(key)
            writer.string(value)
        }
        writer.key("fields")
        writer.beginObject()
        for (name, value) in fields {
            writer.key(name)
            switch value {
            case .text(let text): writer.string(text)
            case .number(let number): writer.integer(number)
            }
        }
        writer.endObject()
        writer.endObject()
        return writer.bytes + [0x0A]
    }

    private func text(_ level: Level, _ event: String, _ app: String?, _ fields: [(name: String, value: Field)]) -> [UInt8] {
        var line = "\(clock().text) \(level.rawValue) \(event)"
        if let app { line += " app=\(Journal.word(app))" }
        for (name, value) in fields {
            switch value {
            case .text(let text): line += " \(name)=\(Journal.word(text))"
            case .number(let number): line += " \(name)=\(number)"
            }
        }
        return Array((line + "\n").utf8)
    }

    /// In quotes where blanks or anything that a terminal obeys is in it.
    private static func word(_ text: String) -> String {
        let isPlain =
            !text.isEmpty
            && text.unicodeScalars.allSatisfy { $0.value > 0x20 && $0 != "\"" && $0 != "\\" && !($0.value >= 0x7F && $0.value < 0xA0) }
        if isPlain { return text }
        var writer = JSONWriter(reserving: text.utf8.count + 16)
        writer.string(String(String.UnicodeScalarView(text.unicodeScalars.map { $0.value >= 0x7F && $0.value < 0xA0 ? "\u{FFFD}" : $0 })))
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// A reader that is gone is no fault of the host.
    private static func write(_ line: [UInt8], to descriptor: Int32) {
        var start = 0
        while start < line.count {
            let count = line[start...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            start += count
        }
    }
}
