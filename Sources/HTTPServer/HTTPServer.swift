// The server as others have it: made with addresses and a handler, started, drained, waited for. Owns the threads; everything
// that happens on a connection is Loop's and Connection's.
import Glibc
import Synchronization

/// Speaks HTTP/1.1 on sockets, and knows nothing of what is asked.
public final class HTTPServer: Sendable {
    /// Where it listens, with the ports that it really has.
    public let addresses: [ListenAddress]
    public let counts = ServerCounts()
    /// Connections at a time: fewer than the settings say where the system allows fewer.
    public var mostConnections: Int { settings.connections }
    private let sockets: [ListeningSocket]
    private let settings: ServerSettings
    private let handler: any HTTPHandler
    /// nil: nothing is encrypted.
    private let tls: TLSKeeper?
    private let mailboxes: [Mailbox]
    private let threads = Guarded<[pthread_t]>([])

    /// Listens from now on; clients wait until `start`.
    ///
    /// - Parameter tls: spoken on all addresses but the files of sockets.
    public init(
        _ settings: ServerSettings, _ addresses: [ListenAddress], _ handler: any HTTPHandler, tls: TLSKeeper? = nil
    ) throws(ListenFault) {
        var settings = settings
        settings.connections = HTTPServer.allowed(settings.connections)
        self.settings = settings
        self.tls = tls
        self.handler = handler
        var sockets: [ListeningSocket] = []
        for address in addresses {
            do throws(ListenFault) {
                sockets.append(try ListeningSocket(address))
            } catch {
                for socket in sockets { socket.abandon() }
                throw error
            }
        }
        self.sockets = sockets
        self.addresses = sockets.map(\.address)
        mailboxes = (0..<max(1, settings.loops)).map { Mailbox(loop: $0) }
    }

    public func start() throws(ListenFault) {
        // All of them before the first one runs: a server that has begun has all that it needs.
        var loops: [Loop] = []
        for index in mailboxes.indices {
            guard let loop = Loop(index, settings, handler, mailboxes, counts, tls) else { throw .noThread }
            try loop.watch(index == 0 ? sockets : [])
            loops.append(loop)
        }
        for loop in loops {
            let seat = unsafe Unmanaged.passRetained(Seat(server: self, loop: loop))
            var thread = pthread_t()
            let code = unsafe pthread_create(
                &thread, nil,
                { seat in
                    if let seat = unsafe seat { unsafe Unmanaged<Seat>.fromOpaque(seat).takeRetainedValue().work() }
                    return nil
                }, seat.toOpaque())
            guard code == 0 else {
                unsafe seat.release()
                stop()
                throw .noThread
            }
            threads.withLock { $0.append(thread) }
        }
    }

    /// No new connections; what is under way is finished, but no longer than that. Returns at once, from any thread.
    public func drain(within time: Duration) {
        for mailbox in mailboxes { mailbox.post(.drain(milliseconds: time.milliseconds)) }
    }

    /// Ends all connections now.
    public func stop() {
        for mailbox in mailboxes { mailbox.post(.stop) }
    }

    /// Returns when all connections have ended after `drain` or `stop`. Not for a thread of the handler.
    public func wait() {
        for thread in threads.withLock({ threads in
            defer { threads = [] }; return threads
        }) { pthread_join(thread, nil) }
        for socket in sockets { socket.removeFile() }
    }

    /// Milliseconds since each loop came round; one that has nothing to do does so twice a second.
    public var loopAges: [Int64] {
        let now = Loop.clock()
        return mailboxes.map { mailbox in
            let turned = mailbox.turned.load(ordering: .relaxed)
            return turned == 0 ? 0 : Int64(now - turned)
        }
    }

    /// A thread's beginning.
    private final class Seat {
        /// As long as its thread runs.
        let server: HTTPServer
        let loop: Loop

        init(server: HTTPServer, loop: Loop) {
            self.server = server
            self.loop = loop
        }

        func work() { loop.run() }
    }

    /// Descriptors that are left to files, logs and other processes, whatever clients do.
    private static let others = 256

    /// Asks the system for as many descriptors as are wanted, and says how many connections that allows.
    private static func allowed(_ wanted: Int) -> Int {
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard unsafe getrlimit(resource, &limit) == 0 else { return wanted }
        let needed = rlim_t(wanted + others)
        if limit.rlim_cur < needed {
            limit.rlim_cur = min(limit.rlim_max, needed)
            guard unsafe setrlimit(resource, &limit) == 0, unsafe getrlimit(resource, &limit) == 0 else { return wanted }
        }
        return connections(wanted, among: Int(clamping: limit.rlim_cur))
    }

    static func connections(_ wanted: Int, among descriptors: Int) -> Int {
        max(1, min(wanted, descriptors - min(others, descriptors / 2)))
    }
}
