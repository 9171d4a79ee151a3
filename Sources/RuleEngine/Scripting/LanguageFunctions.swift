// `text.plural` and `text.tr`: what depends on the language of the phone. The machine that this runs on has no say: the
// language is the device's, else the app's.
import JSONDocument
import LuaSandbox
import PushMessage

struct LanguageFunctions {
    private let strings: Strings
    /// The phone's language; nil: it does not say one.
    private let device: LocaleTag?
    private let app: LocaleTag?
    /// What the phone says, as it says it.
    private let said: String?

    init(_ situation: Situation) {
        strings = situation.plan.ruleset.strings
        app = situation.plan.ruleset.manifest.locale
        said = situation.request.device.locale?.string
        device = said.flatMap { LocaleTag($0) }
    }

    // MARK: text.plural

    /// text.plural(n, { one = "{n} message", other = "{n} messages" }): the form that the person's language has for n.
    func plural(_ call: Call, _ result: JSONBuilder, _ warnings: inout ScriptWarnings) throws(CallFault) {
        guard let value = call.argument(0) else { throw CallFault("n must be a number") }
        let digits = try LanguageFunctions.digits(value, "n")
        guard let forms = call.argument(1), forms.isObject else {
            throw CallFault("the forms must be a table such as { one = \"{n} message\", other = \"{n} messages\" }")
        }
        var texts: [PluralForm: String] = [:]
        LuaMachine.takeFuel(200)
        for member in forms.children {
            LuaMachine.takeFuel(60)
            guard let form = PluralForm(rawValue: member.key.string) else {
                throw CallFault("there is no form \"\(member.key.string)\"; there are \(PluralForm.names.joined(separator: ", "))")
            }
            guard let text = member.text else { throw CallFault("the form \(form.rawValue) must be a text") }
            texts[form] = text.string
        }
        let text = try choose(texts, for: digits, in: pluralLocale(&warnings), named: "text.plural", &warnings)
        result.string(try TextFunctions.filled(text) { name in name == "n" ? digits : nil })
    }

    /// The first language with known rules: the phone's, the app's, else English.
    private func pluralLocale(_ warnings: inout ScriptWarnings) -> LocaleTag? {
        if let device, PluralRules.areKnown(in: device) { return device }
        let other = app.flatMap { PluralRules.areKnown(in: $0) ? $0 : nil } ?? LocaleTag("en")
        let name = other?.name ?? "en"
        if let said {
            warnings.add(.unknownLocale, about: "plural") {
                Warning(
                    code: .unknownLocale, path: "locale",
                    message: "the plural forms of \"\(said.shortened)\" are not known; those of \"\(name)\" are taken",
                    hint: "write a locale such as \"ko-KR\"")
            }
        } else if app == nil {
            warnings.add(.unknownLocale, about: "plural") {
                Warning(
                    code: .unknownLocale, path: "locale",
                    message: "neither the device nor app.lua says a locale; the plural forms of \"\(name)\" are taken",
                    hint: "give the device a locale, or app.lua: locale = \"\(name)\"")
            }
        }
        return other
    }

    private func choose(
        _ texts: [PluralForm: String], for digits: String, in locale: LocaleTag?, named owner: String,
        _ warnings: inout ScriptWarnings
    ) throws(CallFault) -> String {
        guard let number = PluralNumber(digits.utf8) else { throw CallFault("n must be a number, but it is \"\(digits.prefix(40))\"") }
        let form = locale.flatMap { PluralRules.form(of: number, in: $0) } ?? .other
        if let text = texts[form] { return text }
        guard let other = texts[.other] else { throw CallFault("there is no form `other`, which every language needs") }
        warnings.add(.pluralFormMissing, about: "\(owner) \(form.rawValue) \(digits.prefix(40))") {
            Warning(
                code: .pluralFormMissing, path: owner,
                message:
                    "\(digits.prefix(40)) takes the form `\(form.rawValue)` in \"\(locale?.name ?? "")\", which is not there; `other` is shown",
                hint: "add: \(form.rawValue) = \"…\"")
        }
        return other
    }

    // MARK: text.tr

    /// text.tr("greeting", { name = "Mina" }): the app's text of that key in the person's language.
    func tr(_ call: Call, _ result: JSONBuilder, _ warnings: inout ScriptWarnings) throws(CallFault) {
        let key = try call.text(0, "the key").string
        let values = call.argument(1).flatMap { $0.isNull ? nil : $0 }
        if let values, !values.isObject, !(values.isArray && values.count == 0) {
            throw CallFault("the second argument must be a table of values by name")
        }
        guard !strings.tables.isEmpty else {
            throw CallFault(
                "the app has no texts; write them into lib/strings/en.lua: return { \(key.isLuaName ? key : "greeting") = \"…\" }")
        }
        // Each language that may be tried is a table of its own, and its name is put together for every call.
        LuaMachine.takeFuel(50 + 25 * ((device?.generality ?? 0) + (app?.generality ?? 0)) + (said?.utf8.count ?? 0) / 2)
        if device == nil, let said {
            warnings.add(.unknownLocale, about: "texts") {
                unreadable(said, instead: app.map { "the app's language \"\($0.name)\" is taken" })
            }
        }
        guard let hit = strings.find(key, in: device, else: app) else {
            LuaMachine.takeFuel(key.utf8.count / 4)
            warnings.add(.stringMissing, about: key) { missing(key, shown: "the key itself is shown") }
            return result.string(key)
        }
        if hit.isOtherLanguage {
            warnings.add(.stringMissing, about: key) { missing(key, shown: "the one in \"\(hit.locale.name)\" is shown") }
        }
        let template: String
        switch hit.entry {
        case .text(let text): template = text
        case .forms(let forms):
            guard let n = values?["n"], !n.isNull else { throw CallFault("\"\(key)\" has plural forms and needs a value for n") }
            // The language of the text, which need not be the person's.
            template = try choose(
                forms, for: LanguageFunctions.digits(n, "n"), in: hit.locale, named: "lib/strings/\(hit.locale.name).lua", &warnings)
        }
        let named = NamedValues(values)
        result.string(try TextFunctions.filled(template) { name throws(CallFault) in try TextFunctions.text(of: named[name], name) })
    }

    private func unreadable(_ said: String, instead: String?) -> Warning {
        Warning(
            code: .unknownLocale, path: "locale",
            message: "the locale \"\(said.shortened)\" names no language" + (instead.map { "; \($0)" } ?? ""),
            hint: "write a locale such as \"ko-KR\"")
    }

    private func missing(_ key: String, shown: String) -> Warning {
        let wanted = device ?? app
        let isElsewhere = strings.tables.values.contains { $0[key] != nil }
        let nearest = isElsewhere ? nil : DidYouMean.nearest(to: key, among: strings.keys)
        let locale = said ?? wanted?.name
        return Warning(
            code: .stringMissing, path: key.shortened,
            message: "there is no text \"\(key.shortened)\" in " + (locale.map { "\"\($0.shortened)\"" } ?? "any language") + "; \(shown)",
            hint: nearest.map { "did you mean \"\($0)\"?" } ?? wanted.map { "add it to \(strings.file(for: $0))" }
                ?? "say in app.lua which language is meant without one: locale = \"en\"")
    }

    // MARK: numbers

    /// The digits of a number, or of a text that is one: FCM carries only texts.
    private static func digits(_ value: JSONValue, _ name: String) throws(CallFault) -> String {
        if let text = value.text, text.count <= 64 { return text.string }
        // 3.0 that a script has computed is 3; whoever means the decimal gives a text.
        if let double = value.double, let integer = Int64(exactly: double), value.integer == nil { return "\(integer)" }
        guard value.integer != nil || value.double != nil else { throw CallFault("\(name) must be a number") }
        var writer = JSONWriter(reserving: 32)
        writer.value(value)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}
