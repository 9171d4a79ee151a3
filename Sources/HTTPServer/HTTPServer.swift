// The server as others have it: made with addresses and a handler, started, drained, waited for. Owns the threads; everything
// that happens on a connection is Loop's and Connection's.
import Glibc
import Synchronization

/// Speaks HTTP/1.1 on sockets, and knows nothing of what is asked.
public final class HTTPServer: Sendable {
    /// Where it listens, with the ports that it really has.
    public let addresses: [ListenAddress]
    public let counts = ServerCounts()
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
        HTTPServer.allowDescriptors(settings.connections + 256)
    }

    public func start() throws(ListenFault) {
        for index in mailboxes.indices {
            let seat = unsafe Unmanaged.passRetained(Seat(server: self, index: index))
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
        let server: HTTPServer
        let index: Int

        init(server: HTTPServer, index: Int) {
            self.server = server
            self.index = index
        }

        func work() {
            let loop = Loop(index, server.settings, server.handler, server.mailboxes, server.counts, server.tls)
            loop?.run(index == 0 ? server.sockets : [])
        }
    }

    /// As many as are wanted and allowed; with fewer, clients wait to be let in.
    private static func allowDescriptors(_ wanted: Int) {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0, limit.rlim_cur < wanted else { return }
        limit.rlim_cur = min(limit.rlim_max, rlim_t(wanted))
        unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}
