// One thread that serves connections: it waits until a socket or a letter is there, does everything that can be done without
// waiting, and tells the handler when nothing is left. Made by HTTPServer, one for each thread.
//
// One turn: sockets that are readable or writable ─▶ handler.turnEnded ─▶ letters ─▶ answers written, until there is nothing new.
import CEvent
import Glibc
import Synchronization

@safe final class Loop {
    let index: Int
    let settings: ServerSettings
    let handler: any HTTPHandler
    let mailbox: Mailbox
    let counts: ServerCounts
    let base: OpaquePointer
    /// Bytes that were just received; used up before anything else is.
    let scratch = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
    var writing = AnswerWriting()
    var exchanges = ExchangeTable()
    var deadlines = Deadlines()
    private(set) var isDraining = false
    /// Milliseconds on a clock that nobody sets.
    private(set) var now = 0

    private var connections: [Connection?] = []
    private var free: [Int] = []
    private var count = 0
    private var dirty: [Connection] = []
    private var eventStreams: [ExchangeID] = []
    private var listeners: [OpaquePointer] = unsafe []
    private var areListenersPaused = false
    /// nil: no connection speaks TLS.
    private let tls: TLSKeeper?
    /// So many steps of handshakes are still made in this turn; they take a thousand times as long as other bytes.
    private var handshakes = 0
    private static let handshakesOfTurn = 16
    private let others: [Mailbox]
    private var nextLoop = 0
    private var isInTurn = false
    private var hasNewRequests = false
    private var isStopped = false
    private var drainBy = Deadlines.none
    private var wakeEvent: OpaquePointer?
    private var tickEvent: OpaquePointer?
    private var reminders = Reminders()
    private var remindEvent: OpaquePointer?
    private var traces = TraceNumbers()
    private var lastID = UInt64.random(in: .min ... .max)

    /// - Parameter others: all loops, this one among them; connections go to each in turn.
    init?(
        _ index: Int, _ settings: ServerSettings, _ handler: any HTTPHandler, _ others: [Mailbox], _ counts: ServerCounts, _ tls: TLSKeeper?
    ) {
        guard others[index].wake >= 0, let base = unsafe event_base_new() else { return nil }
        unsafe self.base = base
        self.index = index
        self.settings = settings
        self.handler = handler
        self.others = others
        self.counts = counts
        self.tls = tls
        mailbox = others[index]
    }

    deinit {
        closeListeners()
        if let event = unsafe wakeEvent { unsafe event_free(event) }
        if let event = unsafe tickEvent { unsafe event_free(event) }
        if let event = unsafe remindEvent { unsafe event_free(event) }
        unsafe scratch.deallocate()
        unsafe event_base_free(base)
    }

    /// Returns when the server has ended.
    func run() {
        now = Loop.clock()
        writing.date.update(time(nil))
        while !isStopped {
            unsafe event_base_loop(base, EVLOOP_ONCE)
            beginTurn()
            endTurn()
            if isDraining, count == 0 { isStopped = true }
        }
        mailbox.turned.store(0, ordering: .relaxed)
        mailbox.close()
        for connection in connections { connection?.close() }
        closeListeners()
    }

    // MARK: turns

    func beginTurn() {
        if isInTurn { return }
        isInTurn = true
        now = Loop.clock()
        mailbox.turned.store(now, ordering: .relaxed)
        mailbox.begin()
        handshakes = Loop.handshakesOfTurn
    }

    /// Whether there is time for one more in this turn. Whoever has none is readable in the next one, too.
    func mayShake() -> Bool {
        handshakes -= 1
        return handshakes >= 0
    }

    private func endTurn() {
        while true {
            if hasNewRequests {
                hasNewRequests = false
                handler.turnEnded(index)
            }
            for letter in mailbox.take() { read(letter) }
            let changed = dirty
            dirty.removeAll(keepingCapacity: true)
            for connection in changed {
                connection.isDirty = false
                connection.pump()
            }
            if !hasNewRequests, dirty.isEmpty, mailbox.mayRest() { break }
        }
        isInTurn = false
    }

    func beganRequest() {
        hasNewRequests = true
        counts.requestsEver.count()
    }

    /// Its body may come many turns after its head.
    func tookRequest() { hasNewRequests = true }

    func markDirty(_ connection: Connection) {
        if connection.isDirty { return }
        connection.isDirty = true
        dirty.append(connection)
    }

    private func read(_ letter: Letter) {
        switch letter {
        case .answer(let id, let answer): set(answer, for: id)
        case .open(let id, let start):
            guard let entry = exchanges[id], entry.answer == nil, entry.start == nil else {
                start.answer.close()
                return start.stream.gone()
            }
            exchanges[id]?.start = start
            exchanges[id]?.stream = start.stream
            if start.idle != nil { eventStreams.append(id) }
            markDirty(entry.connection)
            if isDraining { start.stream.draining() }
        case .chunk(let id, let bytes):
            guard let connection = exchanges[id]?.connection else { return }
            exchanges[id]?.pieces += bytes
            markDirty(connection)
        case .end(let id, let closes):
            guard let connection = exchanges[id]?.connection else { return }
            exchanges[id]?.isEnded = true
            if closes { exchanges[id]?.closes = true }
            markDirty(connection)
        case .breakOff(let id): exchanges[id]?.connection.close()
        case .goOn(let id): exchanges[id]?.connection.goOn(id)
        case .remind(let id, let milliseconds):
            reminders.add(id, due: now + milliseconds)
            setReminder()
        case .adopt(let descriptor, let isTLS): adopt(descriptor, isTLS: isTLS)
        case .drain(let milliseconds): drain(milliseconds)
        case .stop: isStopped = true
        }
    }

    /// The answer of an exchange, unless it has one.
    func set(_ answer: Answer, for id: ExchangeID, closes: Bool = false) {
        guard let entry = exchanges[id], entry.answer == nil, entry.start == nil else { return }
        exchanges[id]?.answer = answer
        if closes { exchanges[id]?.closes = true }
        markDirty(entry.connection)
    }

    // MARK: connections

    private func adopt(_ descriptor: Int32, isTLS: Bool) {
        let session = isTLS ? tls?.identity.session(descriptor) : nil
        guard !isTLS || session != nil else {
            counts.openNow.count(-1)
            close(descriptor)
            return
        }
        let place = free.popLast() ?? connections.count
        if place == connections.count {
            connections.append(nil)
            deadlines.grow(to: connections.count)
        }
        let connection = Connection(self, place: place, descriptor: descriptor, session)
        connections[place] = connection
        count += 1
        if !connection.start() { connection.close() }
    }

    func remove(_ connection: Connection) {
        connections[connection.place] = nil
        deadlines.clear(connection.place)
        free.append(connection.place)
        count -= 1
        counts.openNow.count(-1)
    }

    private func accepted(_ descriptor: Int32, isLocal: Bool) {
        counts.acceptedEver.count()
        let isTLS = tls != nil && !isLocal
        if counts.openNow.wrappingAdd(1, ordering: .relaxed).newValue > settings.connections { return turnAway(descriptor, isTLS: isTLS) }
        var on: Int32 = 1
        // Of no use for a socket file, which refuses it.
        unsafe setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, 4)
        nextLoop = (nextLoop + 1) % others.count
        if nextLoop == index { adopt(descriptor, isTLS: isTLS) } else { others[nextLoop].post(.adopt(descriptor, isTLS: isTLS)) }
    }

    private func turnAway(_ descriptor: Int32, isTLS: Bool) {
        counts.openNow.count(-1)
        counts.refusedEver.count()
        // A handshake is what there is no room for.
        if isTLS {
            close(descriptor)
            return
        }
        writing.clear()
        writing.write(handler.problem(.busy), to: .unread(madeUpID()), closes: true)
        // As much as goes at once; whoever is turned away is not waited for.
        _ = unsafe writing.bytes.withUnsafeBytes { unsafe send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        shutdown(descriptor, Int32(SHUT_WR))
        close(descriptor)
    }

    /// - Parameter trace: that a client names.
    func goesOn(_ trace: TraceContext?) -> TraceContext { trace?.next(&traces) ?? traces.begin() }

    func madeUpID() -> String {
        // A step that reaches every number before one comes again.
        lastID &+= 0x9e37_79b9_7f4a_7c15
        let digits = String(lastID, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }

    // MARK: waiting

    /// Once, before it runs.
    func watch(_ sockets: [ListeningSocket]) throws(ListenFault) {
        // SAFETY: all events are freed before this loop is.
        let this = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe wakeEvent = event_new(
            base, mailbox.wake, Int16(EV_READ | EV_PERSIST),
            { descriptor, _, this in
                var number: UInt64 = 0
                _ = unsafe Glibc.read(descriptor, &number, 8)
                unsafe Loop.at(this)?.beginTurn()
            }, this)
        unsafe tickEvent = event_new(base, -1, Int16(EV_PERSIST), { _, _, this in unsafe Loop.at(this)?.tick() }, this)
        unsafe remindEvent = event_new(base, -1, 0, { _, _, this in unsafe Loop.at(this)?.remind() }, this)
        var pause = timeval(tv_sec: 0, tv_usec: suseconds_t(settings.tick * 1_000))
        guard let wake = unsafe wakeEvent, let tick = unsafe tickEvent, unsafe remindEvent != nil, unsafe event_add(wake, nil) == 0,
            unsafe event_add(tick, &pause) == 0
        else { throw .noThread }
        for socket in sockets {
            let listener = unsafe evconnlistener_new(
                base,
                { _, descriptor, place, _, this in
                    // The file of a socket has nothing to hide.
                    let isLocal = unsafe place?.pointee.sa_family == sa_family_t(AF_UNIX)
                    unsafe Loop.at(this)?.accepted(descriptor, isLocal: isLocal)
                }, this,
                LEV_OPT_CLOSE_ON_FREE | LEV_OPT_CLOSE_ON_EXEC, 0, socket.descriptor)
            guard let listener = unsafe listener else { throw .failed(socket.address, "there is no room to wait for clients") }
            // Out of descriptors: the next tick tries again, instead of this loop doing nothing else.
            unsafe evconnlistener_set_error_cb(listener) { _, this in unsafe Loop.at(this)?.pauseListeners() }
            unsafe listeners.append(listener)
        }
    }

    private static func at(_ this: UnsafeMutableRawPointer?) -> Loop? {
        let loop = unsafe this.map { unsafe Unmanaged<Loop>.fromOpaque($0).takeUnretainedValue() }
        loop?.beginTurn()
        return loop
    }

    private func pauseListeners() {
        areListenersPaused = true
        unsafe listeners.forEach { unsafe evconnlistener_disable($0) }
    }

    private func closeListeners() {
        unsafe listeners.forEach { unsafe evconnlistener_free($0) }
        unsafe listeners = []
    }

    private func tick() {
        writing.date.update(time(nil))
        if areListenersPaused {
            areListenersPaused = false
            unsafe listeners.forEach { unsafe evconnlistener_enable($0) }
        }
        for place in deadlines.reading.indices where deadlines.reading[place] <= now { connections[place]?.readingIsLate() }
        for place in deadlines.writing.indices where deadlines.writing[place] <= now { connections[place]?.writingIsLate() }
        eventStreams.removeAll { exchanges[$0] == nil }
        for id in eventStreams { exchanges[id]?.connection.fillPause() }
        if drainBy <= now { isStopped = true }
    }

    private func remind() {
        for id in reminders.take(now: now) { exchanges[id]?.stream?.reminded() }
        setReminder()
    }

    /// The clock of this loop is coarse: what is due by the timer may not be due by it yet.
    private func setReminder() {
        guard let earliest = reminders.earliest, let event = unsafe remindEvent else { return }
        let pause = max(1, earliest - now)
        var time = timeval(tv_sec: pause / 1_000, tv_usec: pause % 1_000 * 1_000)
        unsafe event_add(event, &time)
    }

    private func drain(_ milliseconds: Int) {
        drainBy = min(drainBy, now + milliseconds)
        if isDraining { return }
        isDraining = true
        closeListeners()
        for connection in connections { connection?.drain() }
    }

    static func clock() -> Int {
        var moment = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC_COARSE, &moment)
        return moment.tv_sec * 1_000 + moment.tv_nsec / 1_000_000
    }
}
