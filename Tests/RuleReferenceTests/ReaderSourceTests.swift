// The lists that the readers of rules show in their hints, and that the description is held against, are whole: a key
// that a reader compares with and that its list does not have would otherwise be known to nobody else.
import Foundation
import RuleEngine
import RuleStore
import Testing

@testable import RuleReference

struct ReaderSourceTests {
    static let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    static func source(_ path: String) throws -> String {
        try String(contentsOf: repository.appendingPathComponent("Sources/\(path)"), encoding: .utf8)
    }

    /// A reader's file, and all words that its tables may have as keys or values.
    private static let readers: [(file: String, words: [String])] = [
        (
            "RuleEngine/Loading/ManifestReader.swift",
            AuthorVocabulary.manifestKeys + AuthorVocabulary.channelKeys + AuthorVocabulary.linkKeys + AuthorVocabulary.limitKeys
                + AuthorVocabulary.dedupeKeys + AuthorVocabulary.guardModes
        ),
        ("RuleEngine/Loading/RuleReader.swift", AuthorVocabulary.ruleKeys),
        (
            "RuleEngine/Loading/TimingReader.swift",
            AuthorVocabulary.quietKeys + AuthorVocabulary.boundaryKeys + ["1", "2", "starts", "expires"]
        ),
        (
            "RuleEngine/Loading/LimitReader.swift",
            AuthorVocabulary.capKeys + AuthorVocabulary.shareKeys + AuthorVocabulary.capWindows + ["1"]
        ),
        ("RuleEngine/ContributionReader+badge.swift", AuthorVocabulary.badgeKeys),
        ("RuleEngine/ContributionReader+route.swift", AuthorVocabulary.routeKeys),
        (
            "RuleEngine/ContributionReader+lists.swift",
            AuthorVocabulary.attachmentKeys + AuthorVocabulary.topicKeys + AuthorVocabulary.topicOperationKeys
        ),
        ("RuleEngine/Evaluating/EventDetails.swift", AuthorVocabulary.changedKeys),
        ("RuleEngine/Pictures/FetchedAttachment.swift", AuthorVocabulary.fetchedKeys),
        (
            "RuleStore/StateReader.swift",
            StateVocabulary.fileKeys + StateVocabulary.recipientKeys + StateVocabulary.caseKeys + StateVocabulary.topicKeys
                + StateVocabulary.tokenKeys
        ),
        ("RuleStore/DeferredReader.swift", StateVocabulary.deferredKeys), ("RuleStore/CapText.swift", StateVocabulary.capKeys),
        ("RuleStore/SeenText.swift", StateVocabulary.seenKeys + StateVocabulary.seenInCaseKeys),
    ]

    @Test("A reader compares with no key that its list lacks", arguments: readers.indices)
    func lists(_ index: Int) throws {
        let (file, known) = Self.readers[index]
        let source = try Self.source(file)
        var compared = source.matches(of: /(?:member|part|option)\.key == "([a-z_0-9]+)"/).map { String($0.output.1) }
        compared += source.matches(of: /\n *case ("[a-z_0-9]+"(?:, "[a-z_0-9]+")*):/).flatMap { match in
            match.output.1.split(separator: ", ").map { String($0.dropFirst().dropLast()) }
        }
        #expect(!compared.isEmpty, "\(file)")
        for key in compared { #expect(known.contains(key), "\(file): \(key)") }
    }

    @Test("Every field of decide that the reader tells apart is one of the list")
    func fields() throws {
        let source = try Self.source("RuleEngine/ContributionReader.swift")
        let keys = Set(source.matches(of: /key == "([a-z_]+)"/).map { String($0.output.1) })
        #expect(keys.sorted() == AuthorVocabulary.decideFields.sorted())
    }

    @Test("Every key that a decision is written with is described, and no other")
    func decisions() throws {
        let writers = try ["RuleEngine/DecisionWriter.swift", "RuleEngine/ReportWriter.swift", "RuleEngine/RouteText.swift"].map(
            Self.source)
        var written: Set<String> = []
        for source in writers {
            for match in source.matches(of: /(?:text|integer|json|list|flag|writer\.key)\("([a-z_]+)"/) {
                written.insert(String(match.output.1))
            }
        }
        let told = Set(DecisionTable.table.withInner.flatMap(\.names))
        #expect(written.sorted() == told.sorted())
    }

    @Test("Every page of docs/errors and docs/findings is built in")
    func pages() throws {
        for (folder, codes) in [("errors", Reference.errors.map(\.code)), ("findings", Reference.findings.map(\.code))] {
            let files = try FileManager.default.contentsOfDirectory(atPath: Self.repository.appendingPathComponent("docs/\(folder)").path)
            #expect(codes.map { "\($0).md" }.sorted() == files.sorted(), "\(folder)")
        }
    }
}
