// The answers of a stream of lines: put in as they are there, taken out in the order of the lines. Belongs to one LineStream, which has the
// lock; knows nothing of who asks and who answers.
import RuleHosting

struct LineOrder {
    /// From the first line that is not taken out; nil: not answered yet.
    private var lines: [(answer: [UInt8]?, number: Int)] = []
    /// Of `lines`, those that are taken out already.
    private var sent = 0
    /// The place of the line that `lines` begins with.
    private var first: UInt64 = 0
    /// Lines that are taken out before room is made.
    private static let most = 2_048

    var underWay: Int { lines.count - sent }

    /// - Parameter number: in the stream, where empty lines count.
    /// - Returns: the place of the answer among the answers, from 0.
    mutating func add(_ number: Int) -> UInt64 {
        lines.append((nil, number))
        return first + UInt64(lines.count - 1)
    }

    /// A line that is answered already.
    mutating func add(_ problem: HostProblem, _ number: Int) {
        lines.append((LineNumber.put(number, into: problem.body), number))
    }

    mutating func set(_ answer: HostAnswer) {
        guard answer.tag >= first, answer.tag - first < UInt64(lines.count) else { return }
        let place = Int(answer.tag - first)
        lines[place].answer = answer.isProblem ? LineNumber.put(lines[place].number, into: answer.body) : answer.body
    }

    /// What is next, as long as it is there, each with its end of line.
    mutating func next() -> [UInt8] {
        var bytes: [UInt8] = []
        while sent < lines.count, let answer = lines[sent].answer {
            bytes += answer
            bytes.append(0x0a)
            lines[sent].answer = []
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
