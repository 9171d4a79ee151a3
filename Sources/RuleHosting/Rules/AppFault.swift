// What is wrong with an app, wherever it was found: in its files, in its rules, in its cases. As it is told everywhere that a person
// looks; the codes are those of the command line.
import EffectStore
public import JSONDocument
import PushMessage
import RuleEngine
import RuleStore

public struct AppFault: Error, Sendable, Equatable {
    public var code: String
    /// Relative to the app's folder.
    public var file: String
    /// From 1; 0: the file as a whole.
    public var line: Int
    /// From 1, in Unicode scalars; 0: the line as a whole.
    public var column: Int
    /// One sentence without a full stop.
    public var message: String
    public var hint: String?
    /// The line that it stands on.
    public var excerpt: String?
    /// It is the draft's, which nobody is served by.
    public var isOfDraft = false

    public init(code: String, file: String, line: Int = 0, column: Int = 0, message: String, hint: String? = nil, excerpt: String? = nil) {
        self.code = code
        self.file = file
        self.line = line
        self.column = column
        self.message = message
        self.hint = hint
        self.excerpt = excerpt
    }

    /// What could not be kept of the app.
    init(_ fault: EffectStoreFault) {
        self.init(code: fault.code.rawValue, file: "app.lua", message: fault.message, hint: fault.hint)
    }

    /// Codes that no other room gives.
    public enum Code: String, Sendable, CaseIterable {
        case caseFailed = "case_failed"
        case rolledBack = "rolled_back"
    }

    var ofDraft: AppFault {
        var fault = self
        fault.isOfDraft = true
        return fault
    }

    /// Of a list, and beyond it nothing is told.
    static let most = 100

    public static func write(_ faults: [AppFault], into writer: inout JSONWriter) {
        writer.beginArray()
        for fault in faults { fault.write(into: &writer) }
        writer.endArray()
    }

    private func write(into writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("code", code)
        writer.member("file", file)
        if line > 0 { writer.member("line", line) }
        if column > 0 { writer.member("column", column) }
        writer.member("message", message)
        writer.member("hint", hint)
        writer.member("excerpt", excerpt)
        if isOfDraft { writer.member("stage", VersionDesk.draft) }
        writer.endObject()
    }
}

extension AppFault {
    init(_ fault: RuleFault, files: [SourceFile]) {
        self.init(
            code: fault.code.rawValue, file: fault.file, line: fault.line, column: fault.column, message: fault.message, hint: fault.hint,
            excerpt: files.first { $0.path == fault.file }.flatMap { AppFault.line(fault.line, of: $0.bytes) })
    }

    /// Of the app as a whole.
    init(_ problem: HostProblem) {
        self.init(code: problem.code, file: "app.lua", message: problem.detail, hint: problem.hint)
    }

    init(_ fault: StoreFault, app: String) {
        let marks = ["/\(app)/", "/_shared/"]
        let file = marks.compactMap { mark in fault.path.range(of: mark).map { String(fault.path[$0.upperBound...]) } }.first
        self.init(
            code: fault.code.rawValue, file: file ?? "app.lua", line: fault.line, column: fault.column, message: fault.message,
            hint: fault.hint)
    }

    /// Bytes of a line that are looked at for an excerpt, which tells less of it.
    private static let longestLine = 1_024

    /// A line of a file, without what stands far from its beginning. A line may be all of the file: only its beginning is decoded.
    static func line(_ number: Int, of bytes: [UInt8]) -> String? {
        guard number > 0 else { return nil }
        var start = 0
        for _ in 1..<number {
            guard let end = bytes[start...].firstIndex(of: 0x0A) else { return nil }
            start = end + 1
        }
        var part = bytes[start...].prefix(longestLine).prefix { $0 != 0x0A }
        // Not in the middle of a scalar.
        while part.endIndex < bytes.endIndex, bytes[part.endIndex] & 0xC0 == 0x80, !part.isEmpty { part.removeLast() }
        return String(String(decoding: part, as: UTF8.self).filter { $0 != "\r" }.prefix(200))
    }
}

extension String {
    /// The first place of a text in this one.
    fileprivate func range(of part: String) -> Range<String.Index>? {
        var start = startIndex
        while start < endIndex {
            if self[start...].hasPrefix(part) { return start..<index(start, offsetBy: part.count) }
            start = index(after: start)
        }
        return nil
    }
}
