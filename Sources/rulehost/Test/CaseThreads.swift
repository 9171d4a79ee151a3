// `--jobs`: how many threads cases run on. The answer does not depend on it.
import Glibc

enum CaseThreads {
    /// More cost memory - each has a machine of its own - and gain nothing.
    private static let most = 256

    /// Rules in processes of their own are asked one after the other: who shares a process with whom would depend on the order.
    static func count(_ arguments: Arguments) throws(CommandFault) -> Int {
        let wanted = try arguments.integer(.jobs)
        if let wanted, !(1...most).contains(wanted) {
            throw .invalidValue(flag: "jobs", value: String(wanted), expected: "a number of threads from 1 to \(most)", suggestion: nil)
        }
        return arguments[.isolation] == "process" ? 1 : wanted ?? cores
    }

    private static var cores: Int { min(max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))), most) }
}

extension Flag {
    static let jobs = Flag("jobs", .required("N", .text), "On how many threads cases run (default: as many as there are cores)")
}
