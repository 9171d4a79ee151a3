// The answers of a stream of lines: put in as they are there, taken out in the order of the lines. Belongs to one LineStream, which has the
// lock; knows nothing of who asks and who answers.
import RuleHosting

struct LineOrder {
    /// From the first line that is not taken out; nil: not answered yet.
    private var lines: [[UInt8]?] = []
    /// Of `lines`, those that are taken out already.
    private var sent = 0
    /// The number of the line that `lines` begins with.
    private var first: UInt64 = 0
    /// Lines that are taken out before room is made.
    private static let most = 2_048

    var underWay: Int { lines.count - sent }

    /// - Parameter answer: nil: it will come.
    /// - Returns: the number of the line.
    mutating func add(_ answer: [UInt8]?) -> UInt64 {
        lines.append(answer)
        return first + UInt64(lines.count - 1)
    }

    mutating func set(_ answer: HostAnswer) {
        guard answer.tag >= first, answer.tag - first < UInt64(lines.count) else { return }
        lines[Int(answer.tag - first)] = answer.body
    }

    /// What is next, as long as it is there, each with its end of line.
    mutating func next() -> [UInt8] {
        var bytes: [UInt8] = []
        while sent < lines.count, let line = lines[sent] {
            bytes += line
            bytes.append(0x0a)
            lines[sent] = []
            sent += 1
        }
        if sent == lines.count || sent >= LineOrder.most {
            first += UInt64(sent)
            lines.removeFirst(sent)
            sent = 0
        }
        return bytes
    }
}
