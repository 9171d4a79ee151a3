// `eval --fetch`: tries to fetch what decisions would attach, and puts what came into the details of the events, where the
// engine takes it from. The only part of the command line that goes to the network.
import JSONDocument
import PictureFetch
import RuleEngine

final class PictureCheck {
    private let fetcher: PictureFetcher
    /// An address is fetched once, however many messages name it.
    private var reports = ExactTable<FetchReport>()
    private static let most = 1000

    convenience init() throws(CommandFault) {
        do throws(FetchUnavailable) {
            self.init(try PictureFetcher())
        } catch {
            throw .fetchUnavailable
        }
    }

    init(_ fetcher: PictureFetcher) { self.fetcher = fetcher }

    /// For each event that would attach something: the event with what came of it. None when the asker has told already.
    func facts(on evaluations: [Evaluation], asked: Event?) throws(CommandFault) -> [EventDocument] {
        if let details = asked?.details, details["fetched"] != nil { return [] }
        var facts: [EventDocument] = []
        for decision in evaluations.map(\.decision) {
            guard let attachments = decision.content.attachments, !attachments.isEmpty, decision.display?.action != .suppress
            else { continue }
            var writer = JSONWriter()
            writer.beginObject()
            writer.key("name")
            writer.string(decision.event.rawValue)
            if let details = asked?.details {
                for member in details.children where member.key != "name" {
                    writer.key(member.key)
                    writer.value(member)
                }
            }
            writer.key("fetched")
            writer.beginArray()
            for attachment in attachments { report(attachment.url).write(into: &writer) }
            writer.endArray()
            writer.endObject()
            facts.append(try EventDocument(writer.bytes))
        }
        return facts
    }

    private func report(_ url: String) -> FetchReport {
        if let report = reports[url] { return report }
        let report = fetcher.fetch(url)
        if reports.count < PictureCheck.most { reports[url] = report }
        return report
    }
}
