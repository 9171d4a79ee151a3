// Why a server does not begin. Thrown by HTTPServer; the command line makes sentences of it.

/// Nobody can listen there, or the system gives no thread.
public enum ListenFault: Error, Sendable, Hashable {
    /// Somebody listens there already.
    case inUse(ListenAddress)
    case notAllowed(ListenAddress)
    /// No such address on this machine, or no such folder.
    case noSuchPlace(ListenAddress)
    /// Something that is no socket has that name.
    case notASocket(ListenAddress)
    case pathTooLong(ListenAddress)
    /// With the system's words.
    case failed(ListenAddress, String)
    /// Or nothing for it to wait with.
    case noThread
}
