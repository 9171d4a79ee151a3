// Threads of a host, of its shards and of what watches it: started with a piece of work, joined when it is done.
public import Glibc

public enum HostThread {
    private final class Work: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }

    /// Signals that somebody sends are for whoever started the host, and interrupt none of its threads.
    /// - Returns: nil: the system gives none.
    public static func start(_ body: @escaping @Sendable () -> Void) -> pthread_t? {
        var thread = pthread_t()
        var (all, before) = (sigset_t(), sigset_t())
        sigfillset(&all)
        for own in [SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT] { sigdelset(&all, own) }
        pthread_sigmask(SIG_SETMASK, &all, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        let work = Unmanaged.passRetained(Work(body))
        let code = pthread_create(
            &thread, nil,
            { work in
                if let work { Unmanaged<Work>.fromOpaque(work).takeRetainedValue().body() }
                return nil
            }, work.toOpaque())
        if code == 0 { return thread }
        work.release()
        return nil
    }
}

extension HostStartFault {
    static let noThread = HostStartFault(
        code: "no_thread", message: "the system gives no thread to work on", hint: "end other programs, or raise the limit (ulimit -u)")
}
