// A file that holds a secret: the key of a webhook's signatures, the token for a host. Not read when others of this machine may read it,
// too, because then it is none; nothing of it is repeated anywhere.
import Glibc

struct SecretFile {
    let path: String
    private static let largest = 4_096

    /// Without the white space around it.
    /// - Parameter least: bytes.
    func bytes(atLeast least: Int) throws(CommandFault) -> [UInt8] {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw .unreadableFile(path: path, errno: errno) }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw .unreadableFile(path: path, errno: errno) }
        guard status.st_mode & 0o007 == 0 || status.st_mode & S_IFMT != S_IFREG else {
            throw .secret(path: path, "everybody on this machine may open it", "chmod 600, or 640 for a group")
        }
        let all = try SecretFile.read(file, path)
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 || $0 == 0x0a || $0 == 0x0d }
        let secret = all.drop(while: isSpace).reversed().drop(while: isSpace).reversed()
        // Of a file that fills the buffer there may be more.
        guard secret.count >= least, secret.count <= SecretFile.largest, all.count < 2 * SecretFile.largest else {
            throw .secret(
                path: path, "a secret of \(least) to \(SecretFile.largest) bytes is wanted, and nothing else in the file",
                "openssl rand -hex 32 makes one")
        }
        return Array(secret)
    }

    private static func read(_ file: Int32, _ path: String) throws(CommandFault) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 2 * largest)
        var count = 0
        while count < buffer.count {
            let more = buffer.withUnsafeMutableBytes { Glibc.read(file, $0.baseAddress?.advanced(by: count), $0.count - count) }
            if more < 0, errno == EINTR { continue }
            guard more >= 0 else { throw .unreadableFile(path: path, errno: errno) }
            if more == 0 { break }
            count += more
        }
        return Array(buffer[..<count])
    }
}
