// Why a store cannot be opened, read or written. Names the file as the caller gave it, and of what is in it only whose it is, never
// a value.
import Glibc

public struct EffectStoreFault: Error, Sendable, Equatable {
    public enum Code: String, Sendable, CaseIterable {
        case missing = "store_missing"
        /// A file of somebody else.
        case foreign = "store_foreign"
        case damaged = "store_damaged"
        /// Written by a later version.
        case newer = "store_newer"
        case readOnly = "store_read_only"
        /// Another process has it.
        case locked = "store_locked"
        case full = "store_full"
        /// The system refuses something else.
        case failed = "store_failed"
        case backupNotWritten = "backup_not_written"
    }

    public let code: Code
    public let path: String
    /// One sentence without a full stop.
    public let message: String
    public let hint: String?

    init(_ code: Code, path: String, message: String, hint: String? = nil) {
        self.code = code
        self.path = path
        self.message = message
        self.hint = hint
    }
}

extension EffectStoreFault {
    static func missing(_ path: String) -> EffectStoreFault {
        EffectStoreFault(
            .missing, path: path, message: "there is no store", hint: "check the path; a host makes the store when it starts")
    }

    static func deadLink(_ path: String) -> EffectStoreFault {
        EffectStoreFault(
            .missing, path: path, message: "there is no store: the link leads to nothing",
            hint: "name the file itself: a host makes it there, and the link then leads to it")
    }

    static func foreign(_ path: String, _ message: String = "the file is not a store of rulehost") -> EffectStoreFault {
        EffectStoreFault(.foreign, path: path, message: message, hint: "it was left as it is; name another file")
    }

    static func damaged(_ path: String, _ what: String) -> EffectStoreFault {
        EffectStoreFault(
            .damaged, path: path, message: "the store is damaged: \(what)",
            hint: "put the last backup in its place, and keep the damaged file: more can often be saved from it")
    }

    static func emptied(_ path: String) -> EffectStoreFault {
        EffectStoreFault(
            .damaged, path: path, message: "the store is damaged: the file is empty, and was not when a host had it last",
            hint: "put the last backup in its place, whole; to begin anew remove the file, and those with -wal and .lock behind its name")
    }

    /// A part of what is remembered of somebody, while the file itself is whole.
    static func damagedPart(_ path: String, _ what: String) -> EffectStoreFault {
        EffectStoreFault(
            .damaged, path: path, message: "the store is damaged: \(what)",
            hint: "`rulehost state reset` forgets what cannot be read, of the recipient or of the app; or put the last backup in its place")
    }

    static func newer(_ path: String, _ what: String) -> EffectStoreFault {
        EffectStoreFault(
            .newer, path: path, message: "the store was written by a later rulehost: \(what)",
            hint: "it was left as it is; use that version, or a backup from before it")
    }

    static func readOnly(_ path: String, _ what: String) -> EffectStoreFault {
        EffectStoreFault(
            .readOnly, path: path, message: "the store cannot be written: \(what)",
            hint: "the file, its folder and the files beside it must be writable for whoever runs rulehost")
    }

    /// For whoever only wants to read.
    static func unreadable(_ path: String, _ what: String) -> EffectStoreFault {
        EffectStoreFault(
            .readOnly, path: path, message: "the store cannot be read: \(what)",
            hint: "the file and those beside it must be readable for whoever asks")
    }

    static func logUnreadable(_ path: String) -> EffectStoreFault {
        EffectStoreFault(
            .readOnly, path: path,
            message: "the store cannot be read: its newest part is in the log beside it, for which a file has to be made in its folder",
            hint: "ask as somebody who may write in the folder, or copy the store and the files beside it to a folder of your own")
    }

    static func noRoomToRead(_ path: String, _ what: String) -> EffectStoreFault {
        EffectStoreFault(
            .full, path: path, message: "there is no room for the index of its log, which reading makes: \(what)",
            hint: "make room, or copy the store and the files beside it to a disk that has room and read it there")
    }

    static func moved(_ path: String) -> EffectStoreFault {
        EffectStoreFault(
            .locked, path: path, message: "a host has written the store while it was read", hint: "ask again")
    }

    static func noLock(_ path: String) -> EffectStoreFault {
        EffectStoreFault(
            .foreign, path: path, message: "what stands in the place of the store's lock is not a file",
            hint: "remove it: a host makes it anew")
    }

    static func locked(_ path: String) -> EffectStoreFault {
        EffectStoreFault(
            .locked, path: path, message: "another rulehost has the store open",
            hint: "one host at a time writes a store: end the other one, or ask it with --host and the address on which it listens")
    }

    static func full(_ path: String, _ what: String) -> EffectStoreFault {
        EffectStoreFault(
            .full, path: path, message: "there is no room for what is to be kept: \(what)",
            hint: "nothing of it was written; make room: a host that runs goes on by itself, anything else is begun again")
    }

    static func failed(_ path: String, _ what: String) -> EffectStoreFault {
        EffectStoreFault(.failed, path: path, message: "the store cannot be used: \(what)")
    }

    /// What the system says of an errno, in lower case.
    static func words(_ code: Int32) -> String {
        guard let text = strerror(code) else { return "error \(code)" }
        let words = String(cString: text)
        return words.prefix(1).lowercased() + words.dropFirst()
    }

    /// Of a file that the system will not open.
    static func refused(_ path: String, _ code: Int32) -> EffectStoreFault {
        switch code {
        case EACCES, EPERM, EROFS: readOnly(path, words(code))
        case ENOSPC, EDQUOT, EFBIG: full(path, words(code))
        case ENOENT, ENOTDIR: EffectStoreFault(.missing, path: path, message: "there is no such folder", hint: "make the folder first")
        default: failed(path, words(code))
        }
    }
}
