// What `serve` writes down besides its answers: read from the words of the command line, opened when the host begins.
import HostTelemetry

struct ServeLogs {
    /// nil: only what is wrong is told, as text.
    let format: Journal.Format?
    let decisions: DecisionLogSettings?

    init(_ arguments: Arguments) throws(CommandFault) {
        format = arguments[.logFormat].flatMap { Journal.Format(rawValue: $0) }
        guard let path = arguments[.logDecisions] else {
            for flag in [Flag.logSample, .logMask, .logRotate, .logKeep] where arguments.has(flag) {
                throw .alone(flag, without: "--log-decisions FILE", "it says something of that log")
            }
            decisions = nil
            return
        }
        var settings = DecisionLogSettings(path: path)
        if let words = arguments[.logSample] {
            guard let share = Double(words), (0...1).contains(share) else {
                throw ServeLogs.invalid(.logSample, words, "a number from 0 to 1, as in 0.1")
            }
            settings.sample = share
        }
        for words in arguments.all(.logMask).flatMap({ $0.split(separator: ",", omittingEmptySubsequences: false) }) {
            guard let path = MaskPath(String(words)) else {
                throw ServeLogs.invalid(
                    .logMask, String(words), "a place in message, device or event, as in message.email or device.recipient")
            }
            settings.masks.append(path)
        }
        if let words = arguments[.logRotate] {
            guard let size = DecisionLogSettings.size(words) else {
                throw ServeLogs.invalid(.logRotate, words, "a size, as in 100MB or 1GiB")
            }
            settings.rotate = size
        }
        if let words = arguments[.logKeep] {
            guard let count = Int(words), (0...1_000).contains(count) else {
                throw ServeLogs.invalid(.logKeep, words, "a number of files, 0 to 1000")
            }
            settings.keep = count
        }
        decisions = settings
    }

    /// Opens what is to be written to.
    func open() throws(CommandFault) -> HostTelemetry {
        do throws(TelemetryFault) {
            let journal = try Journal(format ?? .text, tellsAll: format != nil)
            return HostTelemetry(
                version: Program.version, journal: journal,
                decisions: try decisions.map { settings throws(TelemetryFault) in try DecisionLog(settings, journal: journal) })
        } catch {
            throw .telemetry(error)
        }
    }

    private static func invalid(_ flag: Flag, _ value: String, _ expected: String) -> CommandFault {
        .invalidValue(flag: flag.name, value: value, expected: expected, suggestion: nil)
    }
}
