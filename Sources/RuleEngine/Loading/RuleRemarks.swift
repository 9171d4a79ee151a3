// Looks over rules that have been read for what is most likely a slip, though it may be meant. Apps that list no tabs
// or no channels are not asked about theirs. Called by RulesetLoader; what a function decides is not looked at.
import JSONDocument
import PushMessage

struct RuleRemarks {
    let manifest: Manifest
    private(set) var warnings: [RuleWarning] = []

    init(manifest: Manifest) { self.manifest = manifest }

    mutating func look(at rule: Rule, in text: SourceText) {
        for matcher in rule.matchers {
            for (index, value) in matcher.values.enumerated() {
                guard let (code, message, hint) = remark(on: value, of: matcher.field) else { continue }
                let path: [PathStep] = [.key(matcher.field.rawValue), .place(index + 1)]
                tell(code, rule, text, at: path, "`\(matcher.field.rawValue)` = \"\(value)\": \(message)", hint: hint)
            }
        }
        if !rule.events.contains(where: \.hasQuietHours) {
            for (key, isThere) in [("quiet", rule.quiet != nil), ("cap", rule.cap != nil)] where isThere && !rule.events.isEmpty {
                let acting = EventName.allCases.filter(\.hasQuietHours).map(\.rawValue).joined(separator: ", ")
                tell(
                    .neverActs, rule, text, at: [.key(key)], "`\(key)` never acts at the events of this rule", hint: "it acts at \(acting)")
            }
        }
        if case .table(let wish)? = rule.decide { look(at: wish, of: rule, in: text) }
    }

    private mutating func look(at wish: Contribution, of rule: Rule, in text: SourceText) {
        if case .place(let place) = wish.route, let tab = place.tab?.string,
            let (_, message, hint) = unlisted(tab, .unknownTab, "tab", manifest.tabs)
        {
            tell(
                .unknownTab, rule, text, at: [.key("decide"), .key("route"), .key("tab")],
                "`route` leads to the tab \"\(tab)\": \(message)",
                hint: hint)
        }
        if wish.fields.contains(.pin), wish.pin, !(wish.fields.contains(.display) && wish.action == .defer) {
            tell(
                .pinWithoutDefer, rule, text, at: [.key("decide"), .key("pin")], "`pin` means nothing where nothing is held back",
                hint: "add display = \"defer\", or leave `pin` out")
        }
    }

    private typealias Remark = (code: RuleWarning.Code, message: String, hint: String)

    private func remark(on value: String, of field: Matcher.Field) -> Remark? {
        switch field {
        case .channel: unlisted(value, .unknownChannel, "channel", (manifest.channels ?? []).map(\.code))
        case .tab: unlisted(value, .unknownTab, "tab", manifest.tabs)
        case .locale: LanguageNames.remark(on: value).map { (.unknownLanguage, $0.message, $0.hint) }
        case .topic, .category, .state, .os, .urgency, .silent, .minOS, .appVersion: nil
        }
    }

    private func unlisted(_ value: String, _ code: RuleWarning.Code, _ kind: String, _ known: [String]) -> Remark? {
        guard !known.isEmpty, !known.contains(value) else { return nil }
        return (code, "app.lua lists no such \(kind)", UnlistedName.hint(for: value, among: known))
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
            ?? "listed are " + known.prefix(20).joined(separator: ", ")
    }
}
