// The file of tokens of `serve`: read before anybody is let in, and again at SIGHUP. A file that has a fault by then changes nothing; the
// host says so and goes on with the tokens it has. Nothing of the file is repeated.
import HTTPAPI
import HostTelemetry

struct ServeTokens {
    private let path: String
    let keeper: TokenKeeper
    private static let largest = 1 << 20

    /// nil: nobody has to say who he is.
    init?(_ path: String?) throws(CommandFault) {
        guard let path else { return nil }
        self.path = path
        keeper = TokenKeeper(try ServeTokens.read(path))
    }

    private static func read(_ path: String) throws(CommandFault) -> TokenTable {
        let bytes = try InputSource.whole(path, limit: largest)
        do throws(TokenFault) {
            return try TokenTable(bytes)
        } catch {
            throw .tokens(path: path, error)
        }
    }

    /// At SIGHUP, on the thread for that.
    /// - Parameter journal: nil: text for people is told.
    /// - Returns: whether they are in force.
    func readAgain(_ journal: Journal?) -> Bool {
        let console = Console()
        defer { _ = console.finish() }
        do throws(CommandFault) {
            try InputSource.mustBeFile(path)
            keeper.replace(with: try ServeTokens.read(path))
            if let journal {
                journal.log(.info, "tokens_read", [("file", .text(path))])
            } else {
                console.writeError("rulehost: the tokens of \(path.printable) are in force\n")
            }
            return true
        } catch {
            if let journal {
                journal.log(.error, "tokens_refused", error.journalFields)
            } else {
                console.report(error)
            }
            return false
        }
    }
}
