// The description and the readers of rules know the same: what one of them has and the other has not fails here.
import LuaSandbox
import PushMessage
import RuleEngine
import RuleStore
import Testing

@testable import RuleReference

struct VocabularyTests {
    /// A table of the description, and what its reader knows.
    static let tables: [(Table, [String])] = [
        (AppTable.table, AuthorVocabulary.manifestKeys), (AppTable.channel, AuthorVocabulary.channelKeys),
        (AppTable.links, AuthorVocabulary.linkKeys), (AppTable.limits, AuthorVocabulary.limitKeys),
        (AppTable.dedupe, AuthorVocabulary.dedupeKeys), (RuleTable.table, AuthorVocabulary.ruleKeys),
        (QuietTable.table, AuthorVocabulary.quietKeys), (CapTable.table, AuthorVocabulary.capKeys),
        (ShareTable.table("rule.rollout"), AuthorVocabulary.shareKeys), (ShareTable.table("rule.holdout"), AuthorVocabulary.shareKeys),
        (BoundaryTable.table("rule.starts"), AuthorVocabulary.boundaryKeys),
        (BoundaryTable.table("rule.expires"), AuthorVocabulary.boundaryKeys),
        (DecideTable.table, AuthorVocabulary.decideFields), (DecideTable.badgeTable, AuthorVocabulary.badgeKeys),
        (DecideTable.routeTable, AuthorVocabulary.routeKeys), (DecideTable.attachment, AuthorVocabulary.attachmentKeys),
        (DecideTable.topics, AuthorVocabulary.topicKeys), (DecideTable.topicOperation, AuthorVocabulary.topicOperationKeys),
        (EventTable.changed, AuthorVocabulary.changedKeys), (EventTable.fetchedTable, AuthorVocabulary.fetchedKeys),
        (SmallTables.pluralForms, AuthorVocabulary.pluralForms),
        (StateTable.table, StateVocabulary.fileKeys), (StateTable.recipient, StateVocabulary.recipientKeys),
        (StateTable.caseTable, StateVocabulary.caseKeys), (StateTable.topics, StateVocabulary.topicKeys),
        (StateTable.tokens, StateVocabulary.tokenKeys), (StateTable.deferred, StateVocabulary.deferredKeys),
        (StateTable.seenInFile, StateVocabulary.seenKeys), (StateTable.seenInCase, StateVocabulary.seenInCaseKeys),
        (StateTable.cap, StateVocabulary.capKeys),
    ]

    @Test("The keys of every table are those that its reader knows", arguments: tables.indices)
    func keys(_ index: Int) {
        let (table, known) = Self.tables[index]
        #expect(table.names.sorted() == known.sorted(), "\(table.name)")
        #expect(!known.isEmpty)
    }

    @Test("The functions are those that a script finds, each once")
    func functions() {
        let known = LuaMachine.ownNames + AuthorVocabulary.functions + AuthorVocabulary.values
        let told = Reference.functions.map(\.name).filter { !$0.contains(":") }
        #expect(told.sorted() == known.sorted())
        for function in Reference.functions {
            #expect(!function.cost.isEmpty, "\(function.name)")
            let isValue = AuthorVocabulary.values.contains(function.name) || LuaMachine.ownReasons[function.name] == "constant"
            if case .value = function.use { #expect(isValue, "\(function.name)") } else { #expect(!isValue, "\(function.name)") }
        }
    }

    @Test("The fields of msg and device are those of the views, nested ones included")
    func views() {
        func fields(_ table: Table) -> [String] {
            table.withInner.flatMap { inner in inner.keys.map { "\(inner.name).\($0.name)" } }
        }
        let lint = MessageTable.lint.keys.map { "msg.lint.\($0.name)" }
        #expect(
            fields(MessageTable.table).filter { !lint.contains($0) }.sorted() == AuthorVocabulary.messageFields.map { "msg.\($0)" }.sorted()
        )
        #expect(fields(DeviceTable.table).sorted() == AuthorVocabulary.deviceFields.map { "device.\($0)" }.sorted())
    }

    @Test("The details of an event are those that its reader knows, and `of`, which the host adds", arguments: EventName.allCases)
    func details(_ event: EventName) {
        let told = EventTable.table.keys.filter { $0.events?.contains(event) ?? false }.map(\.name)
        let known = AuthorVocabulary.details(of: event).keys + (event == .due ? ["of"] : [])
        #expect(told.sorted() == known.sorted())
    }

    @Test("Every event, guard, warning and error has an entry with a sentence")
    func entries() {
        #expect(Reference.events.map(\.event) == EventName.allCases)
        #expect(Reference.guards.map(\.name) == GuardName.allCases)
        #expect(Reference.warnings.map(\.code) == WarningCode.allCases)
        for entry in Entry.all {
            #expect(!entry.summary.isEmpty && !entry.summary.hasSuffix("."), "\(entry.name): \(entry.summary)")
            #expect(!entry.form.isEmpty, "\(entry.name)")
        }
    }

    @Test("Two entries of a section have different names", arguments: Entry.Section.allCases)
    func names(_ section: Entry.Section) {
        let names = Entry.entries(of: section).map(\.name)
        #expect(!names.isEmpty)
        #expect(Set(names).count == names.count, "\(names.filter { name in names.count { $0 == name } > 1 })")
    }

    @Test("A type that names a table names one that is there")
    func named() {
        func check(_ type: ValueType, _ owner: String) {
            switch type {
            case .named(let name): #expect(Reference.table(named: name) != nil, "\(owner): \(name)")
            case .list(let type), .map(let type, _): check(type, owner)
            case .either(let types): for type in types { check(type, owner) }
            case .function(let parameters, let result):
                for parameter in parameters { check(parameter.type, owner) }
                check(result, owner)
            default: break
            }
        }
        let roots = ["app", "rule", "decide", "show", "msg", "device", "event", "decision", "case", "case.state", "state-file", "traffic"]
        for table in roots.compactMap(Reference.table).flatMap(\.withInner) {
            for key in table.keys { check(key.type, "\(table.name).\(key.name)") }
        }
        for function in Reference.functions {
            if case .call(let parameters, let gives) = function.use {
                for type in parameters.map(\.type) + gives { check(type, function.name) }
            }
        }
    }
}
