// The words for a place where `serve` cannot listen. Used by FaultReport.
import HTTPServer

extension ListenFault {
    var report: FaultReport {
        switch self {
        case .inUse(let address):
            report(address, "somebody listens there already", "end the other program, or choose another place: --listen")
        case .notAllowed(let address):
            report(address, "this user may not listen there", "ports below 1024 are the system's: take a higher one")
        case .noSuchPlace(let address):
            if case .unix = address {
                report(address, "there is no such folder", "make it first; the file of the socket is made by rulehost")
            } else {
                report(address, "this machine has no such address", "`ip address` lists those that it has")
            }
        case .notASocket(let address):
            report(address, "this file is no socket, and stays as it is", "name another file, or remove this one")
        case .pathTooLong(let address):
            report(address, "the path is too long for a socket", "it may have 107 bytes: take a shorter one")
        case .failed(let address, let words): report(address, "nobody can listen there: \(words)", nil)
        case .noThread: CommandFault.noThread.report
        }
    }

    private func report(_ address: ListenAddress, _ message: String, _ hint: String?) -> FaultReport {
        FaultReport(place: address.description, message: message, excerpt: nil, hint: hint)
    }
}
