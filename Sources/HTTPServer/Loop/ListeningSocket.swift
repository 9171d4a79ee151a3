// Opens the sockets on which clients come in. Called once by HTTPServer for each address, before any thread is there. A
// socket file that a dead server has left is replaced, one that somebody listens on is not.
import Glibc

struct ListeningSocket: Sendable {
    let descriptor: Int32
    /// With the port that it really has.
    let address: ListenAddress
    /// Of a socket file: which file it is, so that nobody else's is removed at the end.
    private let file: FileIdentity?

    private struct FileIdentity: Equatable {
        let device: UInt64
        let number: UInt64
    }

    static let backlog: Int32 = 4_096

    init(_ address: ListenAddress) throws(ListenFault) {
        switch address {
        case .ipv4(let number, let port):
            var place = sockaddr_in()
            place.sin_family = sa_family_t(AF_INET)
            place.sin_addr.s_addr = number.bigEndian
            place.sin_port = port.bigEndian
            self = unsafe try ListeningSocket(network: address, AF_INET, &place, MemoryLayout<sockaddr_in>.size)
        case .ipv6(let bytes, let port):
            var place = sockaddr_in6()
            place.sin6_family = sa_family_t(AF_INET6)
            unsafe withUnsafeMutableBytes(of: &place.sin6_addr) { unsafe $0.copyBytes(from: bytes) }
            place.sin6_port = port.bigEndian
            self = unsafe try ListeningSocket(network: address, AF_INET6, &place, MemoryLayout<sockaddr_in6>.size)
        case .unix(let path): self = try ListeningSocket(file: path)
        }
    }

    private init(
        network address: ListenAddress, _ family: Int32, _ place: UnsafeMutableRawPointer, _ size: Int
    ) throws(ListenFault) {
        let descriptor = try ListeningSocket.open(address, family)
        var on: Int32 = 1
        unsafe setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, 4)
        if family == AF_INET6 { unsafe setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &on, 4) }
        var length = socklen_t(size)
        let place = unsafe place.assumingMemoryBound(to: sockaddr.self)
        guard unsafe bind(descriptor, place, length) == 0, listen(descriptor, ListeningSocket.backlog) == 0,
            unsafe getsockname(descriptor, place, &length) == 0
        else { throw ListeningSocket.fault(address, closing: descriptor) }
        // The port stands at the same place for both families.
        let port = unsafe UInt16(bigEndian: UnsafeRawPointer(place).load(fromByteOffset: 2, as: UInt16.self))
        self.descriptor = descriptor
        self.address = address.with(port: port)
        file = nil
    }

    private init(file path: String) throws(ListenFault) {
        address = .unix(path)
        var place = sockaddr_un()
        guard path.utf8.count < MemoryLayout.size(ofValue: place.sun_path) else { throw .pathTooLong(address) }
        place.sun_family = sa_family_t(AF_UNIX)
        unsafe withUnsafeMutableBytes(of: &place.sun_path) { unsafe $0.copyBytes(from: path.utf8) }
        try ListeningSocket.removeStale(path, &place)
        let descriptor = try ListeningSocket.open(address, AF_UNIX)
        self.descriptor = descriptor
        let isBound = unsafe ListeningSocket.with(&place) { name, length in unsafe bind(descriptor, name, length) == 0 }
        // Before it listens, so that nobody connects who may not.
        guard isBound, unsafe chmod(path, 0o660) == 0, let identity = ListeningSocket.identity(path),
            listen(descriptor, ListeningSocket.backlog) == 0
        else { throw ListeningSocket.fault(address, closing: descriptor) }
        file = identity
    }

    /// Removes the socket file, if it is still this one's. The descriptor is the loop's.
    func removeFile() {
        if case .unix(let path) = address, file != nil, ListeningSocket.identity(path) == file { unsafe unlink(path) }
    }

    /// For one that no loop has got.
    func abandon() {
        close(descriptor)
        removeFile()
    }

    private static func open(_ address: ListenAddress, _ family: Int32) throws(ListenFault) -> Int32 {
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let descriptor = socket(family, kind, 0)
        guard descriptor >= 0 else { throw fault(address, closing: nil) }
        return descriptor
    }

    private static func removeStale(_ path: String, _ place: inout sockaddr_un) throws(ListenFault) {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFSOCK else { throw .notASocket(.unix(path)) }
        let probe = try open(.unix(path), AF_UNIX)
        defer { close(probe) }
        let isAnswered = unsafe with(&place) { name, length in unsafe connect(probe, name, length) == 0 }
        // Only a socket that nobody has open refuses; one whose queue is full says something else.
        guard !isAnswered, errno == ECONNREFUSED else { throw errno == EACCES ? .notAllowed(.unix(path)) : .inUse(.unix(path)) }
        unsafe unlink(path)
    }

    private static func identity(_ path: String) -> FileIdentity? {
        var status = stat()
        return unsafe lstat(path, &status) == 0 ? FileIdentity(device: UInt64(status.st_dev), number: UInt64(status.st_ino)) : nil
    }

    private static func with(_ place: inout sockaddr_un, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Bool) -> Bool {
        unsafe withUnsafePointer(to: &place) { place in
            unsafe place.withMemoryRebound(to: sockaddr.self, capacity: 1) { name in
                unsafe body(name, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }

    private static func fault(_ address: ListenAddress, closing descriptor: Int32?) -> ListenFault {
        let code = errno
        if let descriptor { close(descriptor) }
        switch code {
        case EADDRINUSE: return .inUse(address)
        case EACCES, EPERM: return .notAllowed(address)
        case EADDRNOTAVAIL, ENOENT, ENOTDIR, EAFNOSUPPORT: return .noSuchPlace(address)
        default: return .failed(address, unsafe String(cString: strerror(code)))
        }
    }
}
