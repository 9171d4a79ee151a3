// What somebody wants compared: two rulesets of an app, and the traffic that both are to live through. Read by whoever serves, carried
// out by RuleHost.compare.
import JSONDocument
import PushMessage
import RuleLab
import RuleStore

public struct ComparisonWish: Sendable {
    public enum Side: Sendable, Equatable {
        /// In force in this host, for all whom no trial concerns.
        case serving
        /// As the app's folder is now.
        case folder
        /// One that is kept, by the first digits of its hash.
        case version(String)
        /// As the folder would be with these files.
        case draft([DraftFile])
    }

    public var app: String
    public var old = Side.serving
    public var new = Side.folder
    /// JSON; the lines of traffic are parts of it, a list that stands at `traffic`.
    public var text: [UInt8]
    public var lines: [Range<Int>]

    public init(app: String, text: [UInt8], lines: [Range<Int>]) {
        self.app = app
        self.text = text
        self.lines = lines
    }

    /// The names of kinds of change, as the answer has them.
    public static let kinds = ChangeKind.allCases.map(\.rawValue)
}

extension ComparisonWish {
    /// Returns when each line can be read as far as that needs no rules, and is of the app.
    func checkLines() throws(HostProblem) {
        let reader = TrafficReader()
        for (index, range) in lines.enumerated() {
            let fault = text[range].withUnsafeBytes { bytes -> HostProblem? in
                do throws(TrafficFault) {
                    let line = try reader.read(bytes)
                    return line.app.string == app ? nil : foreign(index)
                } catch {
                    return problem(error, at: index)
                }
            }
            if let fault { throw fault }
        }
    }

    /// The next lines from one on; nil: there are none.
    func batch(from start: Int) -> TrafficBatch? {
        guard start < lines.count else { return nil }
        var batch = TrafficBatch()
        for index in start..<lines.count where !batch.isFull {
            text[lines[index]].withUnsafeBytes { batch.add($0, number: index + 1) }
        }
        return batch
    }

    func problem(_ fault: TrafficFault, at index: Int) -> HostProblem {
        let start = lines[index].lowerBound
        return HostProblem(
            code: fault.code, status: fault.code == JSONFault.Code.tooLarge.rawValue ? 413 : 400,
            detail: "traffic[\(index)]: \(fault.message)", hint: fault.hint, pointer: pointer(to: fault.offset, ofLine: index),
            place: TextPlace(of: start + (fault.offset ?? 0), in: text))
    }

    /// Either name could be the right one.
    private func foreign(_ index: Int) -> HostProblem {
        HostProblem(
            code: TrafficFault.invalid, status: 422, detail: "traffic[\(index)]: the line is of another app than the path",
            hint: "leave out the lines of other apps, or compare with `rulehost diff`, which passes them over",
            pointer: "/traffic/\(index)/app",
            place: TextPlace(of: lines[index].lowerBound, in: text))
    }

    /// The innermost value of a line in which a byte stands.
    private func pointer(to offset: Int?, ofLine index: Int) -> String {
        let line = "/traffic/\(index)"
        let document = JSONDocument()
        // It has been read before; should it not read now, the line is named.
        do throws(JSONFault) { try document.read(Array(text[lines[index]]), limit: .max, depth: 80) } catch { return line }
        guard let offset, let root = document.root else { return line }
        return line + root.pointer(to: offset)
    }
}
