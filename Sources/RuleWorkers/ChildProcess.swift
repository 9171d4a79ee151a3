// One child, as its parent holds it: frames out, frames in, and a watch on how long it takes. Owned by a Worker and used
// under its lock; freed with the child killed and waited for.
import CRuleWorker
import CivilTime
import RuleEngine

// SAFETY: a Worker makes it, keeps it and uses it under its own lock, and nobody else sees it.
final class ChildProcess: @unchecked Sendable {
    private var child: rw_child
    private var input = FrameBuffer(longest: Frame.longestAnswer)
    private var isReaped = false
    private var answers = 0
    private var zones = 0

    /// Zones that a child may ask for between two answers: as there are.
    private static let mostZones = 1_000
    /// Answers between two looks at the processor time that the child has used.
    private static let lookEvery = 128

    init(_ child: rw_child) { self.child = child }

    deinit { _ = end() }

    var pid: Int32 { child.pid }
    var pidfd: Int32 { child.pidfd }
    var hasEnded: Bool { rw_has_ended(&child) }
    /// It has said more than it was asked.
    var speaksOutOfTurn: Bool { !input.isEmpty || rw_speaks(&child) }
    /// Microseconds.
    var processorTime: Int64 { rw_cpu(&child) }
    func giveWay() { rw_give_way(&child) }

    /// Kills it if it lives; how it ended.
    func end() -> Int32 {
        guard !isReaped else { return 0 }
        isReaped = true
        rw_kill(&child)
        return rw_reap(&child)
    }

    /// It has ended or is about to: how, without the kill being taken for the cause.
    private func cause() -> ChildEnd {
        isReaped = true
        // Its socket is closed, but perhaps it lives: a child that closes it has gone mad.
        if !rw_has_ended(&child) {
            var isReady = false
            rw_wait(-1, &child.pidfd, &isReady, 1, 50)
            rw_kill(&child)
        }
        return .died(rw_reap(&child))
    }

    // MARK: speaking

    /// - Parameter milliseconds: of processor time that the child may use until it takes what is sent.
    func send(_ bytes: [UInt8], patience milliseconds: Int) throws(ChildEnd) {
        var patience = Patience(milliseconds: milliseconds)
        var place = 0
        while place < bytes.count {
            let sent = bytes.withUnsafeBytes { all in
                all.baseAddress.map { rw_send(child.socket, $0 + place, all.count - place) } ?? -2
            }
            if sent > 0 {
                place += sent
                patience.begin()
            } else if sent != -1 {
                throw cause()
            } else if patience.isOver(&child) {
                throw .hung
            }
        }
    }

    /// The next frame that is an answer; zones that the child needs for it are handed over on the way.
    /// - Parameter milliseconds: of processor time that the child may use for it.
    func receive(patience milliseconds: Int) throws(ChildEnd) -> (kind: Frame.Kind, content: [UInt8]) {
        var patience = Patience(milliseconds: milliseconds)
        while true {
            if let frame = try nextFrame() {
                guard frame.kind == .zoneWanted else {
                    zones = 0
                    keepAllowed()
                    return frame
                }
                try handOver(frame.content, milliseconds)
                continue
            }
            let socket = child.socket
            let count = input.fill { room in room.baseAddress.map { rw_receive(socket, $0, room.count) } ?? -2 }
            if count > 0 { continue }
            guard count == -1 else { throw cause() }
            if patience.isOver(&child) { throw .hung }
        }
    }

    private func nextFrame() throws(ChildEnd) -> (kind: Frame.Kind, content: [UInt8])? {
        do throws(CrossingFault) {
            return try input.next()
        } catch {
            throw .lied(error.expected)
        }
    }

    private func handOver(_ name: [UInt8], _ milliseconds: Int) throws(ChildEnd) {
        zones += 1
        guard zones <= ChildProcess.mostZones, let name = String(validating: name, as: UTF8.self) else {
            throw .lied("the name of a zone")
        }
        var reply: [UInt8] = []
        Frame.append(.zone, to: &reply) { $0 += ZoneFiles.bytes(of: name) }
        try send(reply, patience: milliseconds)
    }

    /// The kernel's own limit of processor time is moved ahead as long as answers come.
    private func keepAllowed() {
        answers += 1
        guard answers % ChildProcess.lookEvery == 0 else { return }
        rw_allow_cpu(&child, rw_look(&child).cpu_microseconds, UInt32(WorkerProcess.cpuSeconds))
    }
}

/// How long a child may take: so much of its own processor time, so that a busy machine ends nobody; or as long of doing
/// nothing although it owes an answer; or a hundred times as long on the clock.
private struct Patience {
    private let allowed: Int64
    private var start: (cpu: Int64, wall: Int64)?
    private var waitingSince: Int64?

    init(milliseconds: Int) { allowed = Int64(milliseconds) * 1000 }

    /// Something has come: from the start again.
    mutating func begin() {
        start = nil
        waitingSince = nil
    }

    /// Asked once in a tick, while nothing comes.
    mutating func isOver(_ child: inout rw_child) -> Bool {
        let activity = rw_look(&child)
        let now = rw_now()
        guard let start else {
            self.start = (activity.cpu_microseconds, now)
            return false
        }
        if activity.is_waiting {
            if let since = waitingSince { if now - since >= allowed { return true } } else { waitingSince = now }
        } else {
            waitingSince = nil
        }
        return activity.cpu_microseconds - start.cpu >= allowed || now - start.wall >= allowed * 100
    }
}
