// Looks over rules that have been read for what is most likely a slip, though it may be meant. Apps that list no tabs
// or no channels are not asked about theirs. Called by RulesetLoader; what a function decides is not looked at.
import JSONDocument
import PushMessage

struct RuleRemarks {
    private let tabs: [String]
    private let channels: [String]
    private let (listedTabs, listedChannels): (Set<String>, Set<String>)
    private var warnings: [RuleWarning] = []
    private let room = TellingRoom()

    init(manifest: Manifest) {
        tabs = manifest.tabs
        channels = (manifest.channels ?? []).map(\.code)
        (listedTabs, listedChannels) = (Set(tabs), Set(channels))
    }

    /// In reading order; the last one says how many more there are.
    var told: [RuleWarning] {
        var told = warnings.sorted { ($0.file, $0.line, $0.column) < ($1.file, $1.line, $1.column) }
        guard room.untold > 0, let last = told.popLast() else { return told }
        told.append(
            RuleWarning(
                code: last.code, file: last.file, line: last.line, column: last.column, message: last.message,
                hint: TellingRoom.hint(last.hint, untold: room.untold)))
        return told
    }

    mutating func look(at rule: Rule, in text: SourceText) {
        for matcher in rule.matchers {
            for (index, value) in matcher.values.enumerated() {
                guard let (code, message, hint) = remark(on: value, of: matcher.field) else { continue }
                let path: [PathStep] = [.key(matcher.field.rawValue), .place(index + 1)]
                tell(code, rule, text, at: path, "`\(matcher.field.rawValue)` = \"\(value.shortened)\": \(message)", hint: hint)
            }
        }
        if !rule.events.contains(where: \.hasQuietHours) {
            for (key, isThere) in [("quiet", rule.quiet != nil), ("cap", rule.cap != nil)] where isThere && !rule.events.isEmpty {
                guard room.take() else { continue }
                let acting = EventName.allCases.filter(\.hasQuietHours).map(\.rawValue).joined(separator: ", ")
                tell(
                    .neverActs, rule, text, at: [.key(key)], "`\(key)` never acts at the events of this rule", hint: "it acts at \(acting)")
            }
        }
        if case .table(let wish)? = rule.decide { look(at: wish, of: rule, in: text) }
    }

    private mutating func look(at wish: Contribution, of rule: Rule, in text: SourceText) {
        if case .place(let place) = wish.route, let tab = place.tab?.string,
            let (_, message, hint) = unlisted(tab, .unknownTab)
        {
            tell(
                .unknownTab, rule, text, at: [.key("decide"), .key("route"), .key("tab")],
                "`route` leads to the tab \"\(tab.shortened)\": \(message)",
                hint: hint)
        }
        if wish.fields.contains(.pin), wish.pin, !(wish.fields.contains(.display) && wish.action == .defer), room.take() {
            tell(
                .pinWithoutDefer, rule, text, at: [.key("decide"), .key("pin")], "`pin` means nothing where nothing is held back",
                hint: "add display = \"defer\", or leave `pin` out")
        }
    }

    private typealias Remark = (code: RuleWarning.Code, message: String, hint: String)

    private func remark(on value: String, of field: Matcher.Field) -> Remark? {
        switch field {
        case .channel: unlisted(value, .unknownChannel)
        case .tab: unlisted(value, .unknownTab)
        case .locale: LanguageNames.remark(on: value).flatMap { room.take() ? (.unknownLanguage, $0.message, $0.hint) : nil }
        case .topic, .category, .state, .os, .urgency, .silent, .minOS, .appVersion: nil
        }
    }

    private func unlisted(_ value: String, _ code: RuleWarning.Code) -> Remark? {
        let isTab = code == .unknownTab
        let known = isTab ? tabs : channels
        guard !known.isEmpty, !(isTab ? listedTabs : listedChannels).contains(value), room.take() else { return nil }
        let hint = room.nearest(to: value, among: known).map { "did you mean \"\($0)\"?" } ?? UnlistedName.listed(known)
        return (code, "app.lua lists no such \(isTab ? "tab" : "channel")", hint)
    }

    private mutating func tell(
        _ code: RuleWarning.Code, _ rule: Rule, _ text: SourceText, at path: [PathStep], _ message: String, hint: String
    ) {
        let place = text.place(notBefore: rule.line) { $0.place(of: path, inRule: rule.name, declaredOn: rule.line) }
        warnings.append(RuleWarning(code: code, file: rule.file, line: place.line, column: place.column, message: message, hint: hint))
    }
}

/// A name that app.lua does not list.
public enum UnlistedName {
    public static func hint(for name: String, among known: [String]) -> String {
        DidYouMean.nearest(to: name, among: known).map { "did you mean \"\($0)\"?" }
            ?? listed(known)
    }

    static func listed(_ known: [String]) -> String { "listed are " + known.prefix(20).joined(separator: ", ") }
}
