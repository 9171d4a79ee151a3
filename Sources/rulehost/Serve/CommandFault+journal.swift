// A fault of a file that SIGHUP has read, for the journal. Used by ServeTokens, ServeWebhook and ServeTLS; quotes nothing of the file.
import HTTPAPI
import HostTelemetry

extension CommandFault {
    var journalFields: [(name: String, value: Journal.Field)] {
        var fields: [(name: String, value: Journal.Field)] = [("code", .text(code))]
        let report = report
        switch self {
        case .tokens(let path, let fault): fields += [("file", .text(path)), ("line", .number(fault.line))]
        default: if let place = report.place { fields.append(("file", .text(place))) }
        }
        fields.append(("message", .text(report.message)))
        return fields
    }
}
