// Recorded traffic from a file or a pipe, in batches of lines. Whoever reads it holds no more than the batch it works on.
import RuleLab

struct TrafficStream {
    let source: InputSource
    private let descriptor: Int32
    private var reader: LineReader
    private var isAtEnd = false

    init(_ source: InputSource) throws(CommandFault) {
        self.source = source
        guard let descriptor = try source.open() else { throw .internalFault("traffic cannot stand on the command line") }
        self.descriptor = descriptor
        reader = LineReader(source, descriptor: descriptor, limit: TrafficReader.limit)
    }

    /// Where nobody says which app decides, and no line either, that is the line's fault.
    /// - Parameter first: the first lines, without those that are empty.
    func explained(_ fault: CommandFault, _ first: TrafficBatch?) -> CommandFault {
        guard case .appNotNamed(let apps, _) = fault, !apps.isEmpty, first?.firstApp == nil else { return fault }
        guard let first, let line = first.lines.first, let wrong = first.firstFault else {
            return .noTraffic(source: source.name, lines: "0", first: nil)
        }
        let lines = "\(first.isFull ? "first " : "")\(first.lines.count)"
        return .noTraffic(source: source.name, lines: lines, first: (line.number, first.text(of: line), wrong))
    }

    func close() { source.close(descriptor) }

    /// How much of the source has been read, between 0 and 1; nil when its size is not known.
    var part: Double? {
        guard let size = reader.size, size > 0 else { return nil }
        return min(1, Double(reader.position) / Double(size))
    }

    /// The next lines, without those that are empty; nil when there are no more.
    mutating func next() throws(CommandFault) -> TrafficBatch? {
        var batch = TrafficBatch()
        while !isAtEnd, !batch.isFull {
            let number = reader.number + 1
            let more = try reader.next { line in
                guard line.contains(where: { $0 > 0x20 }) else { return }
                batch.add(line, number: number)
            }
            isAtEnd = !more
        }
        return batch.isEmpty ? nil : batch
    }
}
