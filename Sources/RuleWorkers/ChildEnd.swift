// Why a child is not asked any more, in a form for the program and in one for people.
import CRuleWorker
import Glibc

enum ChildEnd: Error, Equatable {
    /// The signal that ended it, or -1 - its exit code; 0: not known.
    case died(Int32)
    case hung
    /// What was expected of it.
    case lied(String)
    /// It said what nobody had asked now: something that was left of another app's turn.
    case strayed
    /// None could be started: an errno.
    case notStarted(Int32)
    /// It was started and could not shut itself in: how it ended, as with `died`.
    case notSealed(Int32)

    /// It says something about the app's rules; otherwise about the machine.
    var isFault: Bool {
        switch self {
        case .died, .hung, .lied, .strayed: true
        case .notStarted, .notSealed: false
        }
    }

    /// For people, without a full stop.
    var sentence: String {
        switch self {
        case .died(let end) where end > 0: "the process that runs the rules was ended by signal \(end)"
        case .died(let end) where end < 0: "the process that runs the rules ended with code \(-1 - end)"
        case .died: "the process that runs the rules ended"
        case .hung: "the process that runs the rules took more than twice the time limit and was ended"
        case .strayed: ChildEnd.lied("nothing more").sentence
        case .lied(let expected): "the process that runs the rules was ended: where \(expected) was due, it sent something else"
        case .notStarted(let number): "no process could be started to run the rules: \(ChildEnd.cause(ofError: number))"
        case .notSealed(let end): "no process could be shut in to run the rules: \(ChildEnd.cause(ofExit: -1 - end))"
        }
    }

    private static func cause(ofError number: Int32) -> String {
        switch number {
        case EAGAIN:
            "there is no memory left for one, or there may be no more processes or threads; raise the limits "
                + "(`ulimit -v`, `ulimit -u`, or those of the container)"
        case EMFILE, ENFILE: "there may be no more open files; raise the limit (`ulimit -n`)"
        case ENOMEM: "there is no memory left for one; give the machine or the container more"
        case ENOENT: "the program is not found at its path; is /proc mounted?"
        case EACCES, EPERM: "it is forbidden here; the container or the service manager must allow it"
        case ENOSYS: "the kernel is too old; Linux 5.9 or newer is needed"
        default: "error \(number)"
        }
    }

    private static func cause(ofExit code: Int32) -> String {
        switch rw_seal_outcome(UInt32(bitPattern: code)) {
        case RW_NO_PARENT: "its parent was gone before"
        case RW_NO_PRIVILEGES: "the kernel does not let it give up its privileges (no_new_privs)"
        case RW_NO_PROC: "/proc/self/statm cannot be read; /proc must be mounted"
        case RW_NO_LIMITS: "the limits of memory, time and files could not be set"
        case RW_NO_CLOSE_RANGE: "the kernel is too old (close_range); Linux 5.9 or newer is needed"
        case RW_NO_FILTER: "the kernel or the container does not allow filters of system calls (seccomp)"
        default: "it ended or did not answer while it started; is the machine out of memory?"
        }
    }

    static let quarantine =
        "the app has ended the process that runs its rules three times within a minute; its rules are asked again when they "
        + "have been changed, or when an operator lets the app out"
}
