// The decision log: what was decided, as traffic that can be lived through again. Records come from the threads that decide, which never wait
// for it; lines are made and written on a thread of its own.
import EffectStore
import Glibc
import RuleHosting
import Synchronization

public final class DecisionLog: Sendable {
    let sample: LogSample
    /// Another name stands in the place of each recipient.
    public let masksRecipients: Bool
    private let path: String
    private let keep: Int
    private let listening: Listening
    private let lines: LineThread<DecisionRecord>
    let counts: Counts

    final class Counts: Sendable {
        let written = Atomic(0)
        let dropped = Atomic(0)
    }

    /// Opens the file, so that whoever starts a host hears at once when that is not possible.
    public init(_ settings: DecisionLogSettings, journal: Journal?) throws(TelemetryFault) {
        sample = LogSample(settings.sample)
        masksRecipients = settings.masks.contains { $0.covers("device", "recipient") }
        path = settings.path
        keep = settings.rotate == nil ? 0 : settings.keep
        let counts = Counts()
        self.counts = counts
        let listening = Listening()
        self.listening = listening
        let writing = try DecisionLogWriting(settings, journal, counts, listening)
        lines = try LineThread(most: settings.mostWaiting, bytes: settings.mostWaitingBytes) { turn in
            writing.begin(dropped: turn.dropped)
            // What waits may be told in the file that is opened anew: it was decided before, and that is all.
            if turn.isCalled { writing.reopen() }
            for record in turn.items { writing.add(record) }
            writing.end()
        }
    }

    deinit { end() }

    /// From any thread; it never waits.
    func add(_ record: DecisionRecord) {
        if !lines.offer(record, bytes: record.body.count + record.decision.count + 256) {
            counts.dropped.wrappingAdd(1, ordering: .relaxed)
        }
    }

    /// What comes from now on goes to a file that is opened anew, because this one was moved away.
    public func reopen() { lines.call() }

    /// Who wants to hear of each line, as it is written; one at most.
    /// - Parameter hear: the app and the line, with its end; called on the log's thread, and must not wait.
    public func listen(_ hear: @escaping @Sendable (String, [UInt8]) -> Void) { listening.hear.withLock { $0 = hear } }

    final class Listening: Sendable {
        let hear = Monitor<(@Sendable (String, [UInt8]) -> Void)?>(nil)
    }

    /// Lines of one app, the newest last. What was decided a moment ago may not be written yet.
    public func find(_ wish: LoggedDecisions.Wish) throws(TelemetryFault) -> [UInt8] {
        do throws(LogFile.Fault) {
            return try LoggedDecisions.find(wish, in: path, keep: keep)
        } catch {
            throw TelemetryFault(
                code: "log_not_read", message: "the decision log cannot be read: \(error.message)",
                hint: "whoever runs rulehost must be able to read the file that it writes")
        }
    }

    /// Returns when all that was taken is written.
    public func end() { lines.end() }
}

/// What the thread has.
// SAFETY: touched by the log's thread only, after it was made.
private final class DecisionLogWriting: @unchecked Sendable {
    private var file: LogFile
    private let line: DecisionLine
    private let journal: Journal?
    private let counts: DecisionLog.Counts
    private let listening: DecisionLog.Listening
    private var batch: [UInt8] = []
    private var count = 0
    /// Since when nothing comes through.
    private var failure: LogFile.Fault?
    /// Since when no new file can be begun.
    private var refusal: LogFile.Fault?
    private var toldOfDropping = Int64.min
    /// Written at a time.
    private static let most = 256 << 10

    init(
        _ settings: DecisionLogSettings, _ journal: Journal?, _ counts: DecisionLog.Counts, _ listening: DecisionLog.Listening
    ) throws(TelemetryFault) {
        self.listening = listening
        file = LogFile(settings.path, rotate: settings.rotate, keep: settings.keep)
        line = DecisionLine(settings.masks, salt: (0..<32).map { _ in UInt8.random(in: .min ... .max) })
        self.journal = journal
        self.counts = counts
        do throws(LogFile.Fault) {
            try file.open()
        } catch {
            throw TelemetryFault(
                code: "log_not_written", message: "the decision log \(settings.path) cannot be written: \(error.message)",
                hint: "the file and its folder must be writable for whoever runs rulehost")
        }
    }

    func begin(dropped: Int) {
        guard dropped > 0 else { return }
        let now = HostClock.nanoseconds()
        guard toldOfDropping == .min || now - toldOfDropping > 60_000_000_000 else { return }
        toldOfDropping = now
        journal?.log(.warning, "decision_log_slow", [("dropped", .number(dropped))])
    }

    func add(_ record: DecisionRecord) {
        guard let bytes = line.bytes(of: record) else {
            counts.dropped.wrappingAdd(1, ordering: .relaxed)
            return
        }
        listening.hear.withLock { $0 }?(record.app, bytes)
        batch += bytes
        count += 1
        if batch.count >= DecisionLogWriting.most { end() }
    }

    func reopen() {
        end()
        attempt { (file) throws(LogFile.Fault) in try file.reopen() }
        tellOfRefusal()
    }

    /// All lines of the batch, or none: then they are dropped.
    func end() {
        guard !batch.isEmpty else { return }
        let bytes = batch
        let isWritten = attempt { (file) throws(LogFile.Fault) in try file.write(bytes) }
        if isWritten {
            counts.written.wrappingAdd(count, ordering: .relaxed)
        } else {
            counts.dropped.wrappingAdd(count, ordering: .relaxed)
        }
        batch.removeAll(keepingCapacity: true)
        count = 0
        tellOfRefusal()
    }

    private func tellOfRefusal() {
        guard file.refusal != refusal else { return }
        refusal = file.refusal
        if let refusal {
            journal?.log(.error, "decision_log_not_turned", [("reason", .text(refusal.message))])
        } else {
            journal?.log(.info, "decision_log_turned_again")
        }
    }

    @discardableResult
    private func attempt(_ body: (inout LogFile) throws(LogFile.Fault) -> Void) -> Bool {
        do throws(LogFile.Fault) {
            try body(&file)
            if failure != nil { journal?.log(.info, "decision_log_written_again") }
            failure = nil
            return true
        } catch {
            if failure != error { journal?.log(.error, "decision_log_not_written", [("reason", .text(error.message))]) }
            failure = error
            return false
        }
    }
}
