// `rulehost backup` with --host: the copy comes as bytes, is written beside its place and copied to it as a store is: looked through, and never in
// the place of anything. Called by the verb.
import EffectStore
import Glibc

extension RemoteHost {
    /// - Returns: its bytes.
    func backup(to target: String) throws(CommandFault) -> Int {
        try StorePlace.ask { () throws(EffectStoreFault) in try Backup.check(target) }
        let temporary = "\(target).\(getpid()).download"
        let file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .unreadableFile(path: temporary, errno: errno) }
        defer {
            close(file)
            unlink(temporary)
        }
        var code: Int32 = 0
        try receive("/v1/backup") { piece in
            var done = 0
            while done < piece.count {
                let count = write(file, piece.baseAddress?.advanced(by: done), piece.count - done)
                if count < 0, errno == EINTR { continue }
                if count < 0 {
                    code = errno
                    return false
                }
                done += count
            }
            return true
        }
        guard code == 0 else { throw .outputNotWritten(errno: code) }
        return try StorePlace.ask { () throws(EffectStoreFault) in try Backup.make(of: temporary, to: target) }
    }
}
