// Cuts a stream of bytes into lines, and finds the app in each. Used by LineStream. A line that cannot be a request is a problem
// in its place, so that answers stay as many as lines; empty lines are none.
import Glibc
import JSONDocument
import RuleHosting

struct LineCutting {
    struct Line {
        enum Content {
            case request(app: String, body: [UInt8], RequestOutline?)
            case problem(HostProblem)
            /// Nothing is on it, and nothing is answered.
            case blank
        }

        let content: Content
        /// In the stream, from 1; empty lines count.
        let number: Int
    }

    /// Bytes of a line.
    private let most: Int
    /// Lines with nothing on them are told, too: somebody counts what comes.
    private let tellsBlanks: Bool
    private let document = JSONDocument()
    private var rest: [UInt8] = []
    /// Of the line that comes.
    private var number = 1
    /// The rest of a line that is too long is passed over.
    private var isPassing = false

    init(most: Int, tellsBlanks: Bool = false) {
        self.most = most
        self.tellsBlanks = tellsBlanks
    }

    mutating func add(_ bytes: [UInt8]) -> [Line] {
        var lines: [Line] = []
        var start = 0
        while let end = LineCutting.end(of: bytes, from: start) {
            take(bytes[start..<end], isWhole: true, into: &lines)
            start = end + 1
        }
        take(bytes[start...], isWhole: false, into: &lines)
        return lines
    }

    /// The last line needs no end.
    mutating func end() -> [Line] {
        if rest.isEmpty { return [] }
        var lines: [Line] = []
        take([], isWhole: true, into: &lines)
        return lines
    }

    private mutating func take(_ piece: ArraySlice<UInt8>, isWhole: Bool, into lines: inout [Line]) {
        if !isPassing {
            if rest.count + piece.count > most {
                isPassing = true
                rest = []
                lines.append(Line(content: .problem(LineCutting.tooLong(most)), number: number))
            } else if isWhole, rest.isEmpty {
                if let content = read(Array(piece)) { lines.append(Line(content: content, number: number)) }
            } else {
                rest += piece
            }
        }
        guard isWhole else { return }
        if !isPassing, !rest.isEmpty {
            let line = rest
            rest = []
            if let content = read(line) { lines.append(Line(content: content, number: number)) }
        }
        isPassing = false
        number += 1
    }

    /// nil: there is nothing on it, and nobody wants to know.
    private func read(_ line: [UInt8]) -> Line.Content? {
        if line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0d }) { return tellsBlanks ? .blank : nil }
        let (app, outline) = RequestOutline.of(line)
        if let app { return .request(app: app, body: line, outline) }
        do throws(JSONFault) {
            try document.read(line, limit: most, depth: 72)
        } catch {
            return .problem(HostProblem(error))
        }
        guard let app = document.root?["app"]?.text?.string else {
            return .problem(
                HostProblem(
                    .requestInvalid, status: 400, detail: "the line has no `app`",
                    hint: "write {\"app\": \"chat\", \"message\": {…}, \"device\": {…}} on one line"))
        }
        return .request(app: app, body: line, outline)
    }

    /// Where the line that begins at `start` ends.
    private static func end(of bytes: [UInt8], from start: Int) -> Int? {
        bytes.withUnsafeBytes { bytes in
            guard start < bytes.count, let base = bytes.baseAddress, let found = memchr(base + start, 0x0a, bytes.count - start) else {
                return nil
            }
            return UnsafeRawPointer(found) - base
        }
    }

    private static func tooLong(_ most: Int) -> HostProblem {
        HostProblem(code: "too_large", status: 413, detail: "the line has more than the \(most) bytes that are allowed")
    }
}
