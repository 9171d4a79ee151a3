// Lines that ran, for the trace: beside each the text that its author wrote. Made by TraceMaker, only when lines are traced.
import LuaSandbox

struct LineTraceMaker {
    /// Of one decision: an answer is to be read by somebody, and to cross to another process.
    static let mostLines = 400
    /// Characters of one line of a file.
    private static let longestSource = 160

    private let files: [SourceFile]
    private var texts: [String: [Substring]] = [:]
    private var count = 0

    init(_ files: [SourceFile]) { self.files = files }

    mutating func add(_ calls: [(call: Trace.RanLine.Call, what: TracedCall)], to line: inout Trace.RuleLine) {
        for (call, what) in calls {
            for ran in what.lines {
                guard count < LineTraceMaker.mostLines else {
                    line.linesLeftOut += ran.times
                    continue
                }
                count += 1
                line.lines.append(
                    Trace.RanLine(
                        call: call, file: ran.file, line: ran.line, source: source(of: ran.file, ran.line), times: ran.times,
                        values: ran.values.map { Trace.RanLine.Value(path: $0.path, json: Array($0.json.utf8)) },
                        valuesLeftOut: ran.valuesLeftOut))
            }
            line.linesLeftOut += what.linesLeftOut
        }
    }

    private mutating func source(of file: String, _ line: Int) -> String {
        let lines = text(of: file)
        guard lines.indices.contains(line - 1) else { return "" }
        let text = lines[line - 1].trimmed
        guard text.count > LineTraceMaker.longestSource else { return String(text) }
        return text.prefix(LineTraceMaker.longestSource) + "…"
    }

    private mutating func text(of file: String) -> [Substring] {
        if let text = texts[file] { return text }
        let bytes = files.first { $0.path == file }?.bytes ?? []
        // "\r\n" is one character, so that a split by characters would not see it.
        let text = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map { Substring(String(decoding: $0, as: UTF8.self)) }
        texts[file] = text
        return text
    }
}

extension Substring {
    /// Without spaces around it.
    fileprivate var trimmed: Substring {
        var text = drop { $0.isWhitespace }
        while let last = text.last, last.isWhitespace { text.removeLast() }
        return text
    }
}

extension Trace.RanLine.Call {
    init(_ expected: Expected) {
        switch expected {
        case .truth: self = .when
        case .text: self = .cap
        case .table: self = .decide
        }
    }
}
