// Some lines of traffic, as they were read: handed to another thread in one piece, because a line by itself costs less than
// handing it over.
import JSONDocument

public struct TrafficBatch: Sendable {
    public struct Line: Sendable {
        /// Of the file, from 1.
        public let number: Int
        /// In the batch's bytes.
        public let range: Range<Int>
    }

    /// Lines of one batch, unless they are long.
    private static let full = (lines: 256, bytes: 1 << 20)

    private(set) var bytes: [UInt8] = []
    public private(set) var lines: [Line] = []

    public init() {}

    public var isFull: Bool { lines.count >= TrafficBatch.full.lines || bytes.count >= TrafficBatch.full.bytes }
    public var isEmpty: Bool { lines.isEmpty }

    public mutating func add(_ line: UnsafeRawBufferPointer, number: Int) {
        let start = bytes.count
        bytes.append(contentsOf: line)
        lines.append(Line(number: number, range: start..<bytes.count))
    }

    public func text(of line: Line) -> [UInt8] { Array(bytes[line.range]) }

    /// The first app that a line of the batch names; nil when none of them can be read.
    public var firstApp: String? {
        let reader = TrafficReader()
        for line in lines {
            let app = withBytes(of: line) { bytes -> String? in
                // What is wrong with a line is told when its turn comes.
                do throws(TrafficFault) { return try reader.read(bytes).app.string } catch { return nil }
            }
            if let app { return app }
        }
        return nil
    }

    /// What is wrong with the first line; nil: nothing.
    public var firstFault: TrafficFault? {
        guard let line = lines.first else { return nil }
        let reader = TrafficReader()
        return withBytes(of: line) { bytes -> TrafficFault? in
            do throws(TrafficFault) {
                _ = try reader.read(bytes)
                return nil
            } catch {
                return error
            }
        }
    }

    func withBytes<Result>(of line: Line, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[line.range])) }
    }
}
