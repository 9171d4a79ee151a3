// The child: one thread that shuts itself in, then loads apps and answers questions until its parent is gone. Started only
// by WorkerPool; holds nothing but rules, and whatever happens to it costs the messages that it has in hand.
import CRuleWorker
import CivilTime
import Glibc
import RuleEngine

public enum WorkerProcess {
    /// The child's first word: the program that finds it as its own name calls `run`.
    public static let name = "rulehost-worker"

    /// Bytes of memory for all apps together, each of which has its own limit.
    private static let memory: UInt64 = 1 << 30
    /// Seconds of processor time until the parent allows more.
    static let cpuSeconds: UInt64 = 20

    /// Serves until the parent goes away. Answers the exit code.
    /// - Parameters:
    ///   - arguments: the child's words: its name, and the process id of its parent.
    ///   - probe: for tests, which make a child do what a taken one could.
    public static func run(_ arguments: [String], probe: WorkerProbe? = nil) -> Int32 {
        guard arguments.count == 2, let parent = pid_t(arguments[1]) else { return 2 }
        ZoneFiles.come(from: fetchZone)
        let desk = WorkerDesk(probe: probe)
        WorkerDesk.only = desk
        var limits = rw_limits(memory: memory, cpu_seconds: cpuSeconds)
        let sealed = rw_seal(parent, &limits)
        guard sealed == RW_SEALED else { return Int32(sealed.rawValue) }
        return desk.serve()
    }
}

/// Looks on while a child works, and may interfere. No program that is shipped has one.
public struct WorkerProbe {
    /// Each question, before it is answered.
    public let question: (UnsafeRawBufferPointer) -> Void
    /// Each answer, before it is sent.
    public let answer: (UnsafeRawBufferPointer, inout [UInt8]) -> Void

    public init(
        question: @escaping (UnsafeRawBufferPointer) -> Void, answer: @escaping (UnsafeRawBufferPointer, inout [UInt8]) -> Void
    ) {
        self.question = question
        self.answer = answer
    }
}

/// For C, which has no place to keep the desk: a child has one.
private func fetchZone(
    _ name: UnsafePointer<CChar>, _ length: Int, _ bytes: UnsafeMutablePointer<CChar>, _ room: Int
) -> Int {
    let name = UnsafeRawBufferPointer(start: name, count: length)
    guard let file = WorkerDesk.only?.fetchZone(Array(name)), file.count <= room else { return 0 }
    file.withUnsafeBytes { UnsafeMutableRawPointer(bytes).copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(bytes), byteCount: $0.count) }
    return file.count
}

private final class WorkerDesk {
    // SAFETY: a child has one thread.
    nonisolated(unsafe) static var only: WorkerDesk?

    private struct App {
        let evaluator: Evaluator
        let reader: QuestionReader
    }

    private let probe: WorkerProbe?
    private var apps: [UInt32: App] = [:]
    private var input = FrameBuffer(longest: Frame.longestQuestion)
    private var output: [UInt8] = []
    private var lastFlush: Int64 = 0
    private var isOver = false

    /// Answers wait for each other as long as this, in microseconds and in bytes: the parent sees that work goes on, and
    /// what is answered is not lost with what comes after it.
    private static let longestWait: Int64 = 2_000
    private static let largestWait = 1 << 16

    init(probe: WorkerProbe?) {
        self.probe = probe
        output.reserveCapacity(WorkerDesk.largestWait)
    }

    func serve() -> Int32 {
        say(.sealed) { _ in }
        flush()
        while let (kind, content) = next() {
            let isUnderstood = content.withUnsafeBytes { handle(kind, $0) }
            guard isUnderstood else { return 4 }
            flush()
        }
        return isOver ? 0 : 4
    }

    private func handle(_ kind: Frame.Kind, _ content: UnsafeRawBufferPointer) -> Bool {
        guard content.count >= 4 else { return false }
        let slot = UInt32(littleEndian: content.loadUnaligned(as: UInt32.self))
        let rest = UnsafeRawBufferPointer(rebasing: content[4...])
        switch kind {
        case .load: return load(slot, rest)
        case .ask: return answer(slot, rest)
        case .drop:
            apps[slot] = nil
            return true
        default: return false
        }
    }

    private func load(_ slot: UInt32, _ content: UnsafeRawBufferPointer) -> Bool {
        do throws(CrossingFault) {
            let (app, files, limits) = try AppCrossing.read(content)
            switch RulesetLoader.load(app: app, files: files, limits: limits, keepingManifest: true) {
            case .loaded(let loaded):
                apps[slot] = App(evaluator: Evaluator(loaded), reader: QuestionReader(loaded.ruleset.manifest))
                say(.loaded) { $0 += AppCrossing.outline(of: loaded) }
            case .failed(let faults): say(.failed) { $0 += AppCrossing.bytes(of: faults) }
            }
            return true
        } catch {
            return false
        }
    }

    private func answer(_ slot: UInt32, _ content: UnsafeRawBufferPointer) -> Bool {
        guard let app = apps[slot], content.count >= 8 else { return false }
        lastFlush = rw_now()
        var ordinal = UInt32(littleEndian: content.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
        var place = 8
        for _ in 0..<UInt32(littleEndian: content.loadUnaligned(as: UInt32.self)) {
            guard content.count - place >= 4 else { return false }
            let length = Int(UInt32(littleEndian: content.loadUnaligned(fromByteOffset: place, as: UInt32.self)))
            place += 4
            guard content.count - place >= length else { return false }
            let question = UnsafeRawBufferPointer(rebasing: content[place..<(place + length)])
            place += length
            probe?.question(question)
            do throws(CrossingFault) {
                let evaluation = app.evaluator.evaluate(try app.reader.read(question))
                var answer = evaluation.crossing
                probe?.answer(question, &answer)
                say(.answer) {
                    Frame.append(ordinal, to: &$0)
                    $0 += answer
                }
                ordinal &+= 1
            } catch {
                return false
            }
            if output.count >= WorkerDesk.largestWait || rw_now() - lastFlush >= WorkerDesk.longestWait { flush() }
        }
        return true
    }

    func fetchZone(_ name: [UInt8]) -> [UInt8] {
        say(.zoneWanted) { $0 += name }
        flush()
        guard let (kind, content) = next(), kind == .zone else { return [] }
        return content
    }

    // MARK: the socket

    private func next() -> (kind: Frame.Kind, content: [UInt8])? {
        while true {
            do throws(CrossingFault) {
                if let frame = try input.next() { return frame }
            } catch {
                return nil
            }
            let count = input.fill { $0.baseAddress.map { [room = $0.count] in rw_read($0, room) } ?? 0 }
            guard count > 0 else {
                isOver = true
                return nil
            }
        }
    }

    private func say(_ kind: Frame.Kind, _ content: (inout [UInt8]) -> Void) {
        Frame.append(kind, to: &output, content)
    }

    private func flush() {
        lastFlush = rw_now()
        guard !output.isEmpty else { return }
        let isSent = output.withUnsafeBytes { $0.baseAddress.map { [count = $0.count] in rw_write_all($0, count) } ?? true }
        if !isSent { exit(0) }
        output.removeAll(keepingCapacity: true)
    }
}
