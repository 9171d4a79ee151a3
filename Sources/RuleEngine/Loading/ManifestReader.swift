// Reads the table that app.lua returns into a Manifest. Called by RulesetLoader; tells every fault it finds.
import JSONDocument
import PushMessage

struct ManifestReader {
    static let keys = [
        "api", "title", "timezone", "locale", "tabs", "channels", "unknown_channel", "fields", "links", "topics", "limits", "dedupe",
        "on_error", "guards",
    ]
    static let channelKeys = ["title", "default", "critical"]
    static let linkKeys = ["schemes", "hosts", "fallback", "order"]
    static let limitKeys = ["fuel", "memory_bytes", "milliseconds"]
    static let dedupeKeys = ["window", "content_window"]
    static let guardModes = ["on", "off", "warn"]

    private var faults: AuthorFaults
    private var manifest = Manifest()

    /// - Parameter value: what app.lua returned; nil when it returned nothing.
    static func read(_ value: JSONValue?, in text: SourceText) -> (manifest: Manifest, faults: [RuleFault]) {
        var reader = ManifestReader(faults: AuthorFaults(file: "app.lua", text: text, table: .manifest))
        reader.read(value)
        return (reader.manifest, reader.faults.faults)
    }

    private init(faults: AuthorFaults) { self.faults = faults }

    private mutating func read(_ value: JSONValue?) {
        guard let value, !value.isNull else {
            faults.tell(
                .manifestNotATable, at: [], "app.lua gives nothing back; it must return a table",
                hint: "end it with: return { api = 1 }")
            return
        }
        let isEmpty = value.isArray && value.count == 0
        guard value.isObject || isEmpty else {
            faults.tell(
                .manifestNotATable, at: [], "app.lua must return a table, but it returns \(describe(value))",
                hint: "end it with: return { api = 1 }")
            return
        }
        if value["api"].map(\.isNull) ?? true {
            faults.tell(
                .manifestAPI, at: [], "app.lua does not say which version of the rule language it is written for",
                hint: "add: api = 1,")
        }
        for member in value.children { read(member.key.string, member) }
    }

    private mutating func read(_ key: String, _ value: JSONValue) {
        let path: [PathStep] = [.key(key)]
        switch key {
        case "api": readAPI(value)
        case "title": manifest.title = faults.text(value, at: path)
        case "timezone": manifest.zone = faults.zone(value, at: [.key("timezone")])
        case "locale": readLocale(value)
        case "tabs": manifest.tabs = faults.texts(value, at: path) ?? []
        case "channels": readChannels(value)
        case "unknown_channel": manifest.unknownChannelIsOn = faults.truth(value, at: path) ?? true
        case "fields": readFields(value)
        case "links": readLinks(value)
        case "topics": readTopics(value)
        case "limits": readLimits(value)
        case "dedupe": readDedupe(value)
        case "on_error": readOnError(value)
        case "guards": readGuards(value)
        default: faults.unknownKey(key, in: "app.lua", at: [], known: Self.keys)
        }
    }

    private mutating func readAPI(_ value: JSONValue) {
        if value.integer == 1 { return }
        faults.tell(
            .manifestAPI, at: [.key("api")], "`api` must be the number 1, but it is \(describe(value))",
            hint: "this version of rulehost speaks api = 1")
    }

    private mutating func readLocale(_ value: JSONValue) {
        guard let text = faults.text(value, at: [.key("locale")]) else { return }
        manifest.locale = LocaleTag(text)
        if manifest.locale == nil {
            faults.tell(
                .badValue, at: [.key("locale")], "`locale` = \"\(text)\" is not the name of a language",
                hint: "write a name such as \"en\", \"ko\" or \"pt-BR\"")
        }
    }

    private mutating func readChannels(_ value: JSONValue) {
        let path: [PathStep] = [.key("channels")]
        guard let members = faults.members(value, at: path, wanted: "a table of channels by their codes") else { return }
        var channels: [Manifest.Channel] = []
        for member in members {
            if let channel = readChannel(member, at: path + [.key(member.key.string)]) { channels.append(channel) }
        }
        manifest.channels = channels
    }

    private mutating func readChannel(_ value: JSONValue, at path: [PathStep]) -> Manifest.Channel? {
        guard let members = faults.members(value, at: path, wanted: "a table such as { title = \"…\", default = true }")
        else { return nil }
        var title: String?
        var isOn = true
        var isCritical = false
        for member in members {
            let key = member.key.string
            switch key {
            case "title": title = faults.text(member, at: path + [.key(key)])
            case "default": isOn = faults.truth(member, at: path + [.key(key)]) ?? true
            case "critical": isCritical = faults.truth(member, at: path + [.key(key)]) ?? false
            default: faults.unknownKey(key, in: "a channel", at: path, known: Self.channelKeys)
            }
        }
        return Manifest.Channel(code: value.key.string, title: title, isOnByDefault: isOn, isCritical: isCritical)
    }

    private mutating func readFields(_ value: JSONValue) {
        let path: [PathStep] = [.key("fields")]
        guard let members = faults.members(value, at: path, wanted: "a table of paths by field") else { return }
        let mappable = MessageField.allCases.filter(\.isMappable).map { "\($0.name)" }
        var entries: [(field: String, paths: [FieldPath])] = []
        for member in members {
            let name = member.key.string
            guard MessageField(name: name)?.isMappable ?? false else {
                faults.unknownKey(name, in: "the field map", at: path, known: mappable)
                continue
            }
            let place = path + [.key(name)]
            guard let texts = faults.texts(member, at: place, orOne: true) else { continue }
            guard texts.count <= FieldMap.mostPaths else {
                faults.tell(
                    .badValue, at: place + [.place(FieldMap.mostPaths + 1)],
                    "`\(place.written)` has \(texts.count) paths, but each message is searched for all of them: at most \(FieldMap.mostPaths) are allowed",
                    hint: "leave out those that no sender writes any more")
                continue
            }
            entries.append((name, parsePaths(texts, at: place, isList: member.isArray)))
        }
        manifest.fields = FieldMap(entries)
    }

    private mutating func parsePaths(_ texts: [String], at path: [PathStep], isList: Bool) -> [FieldPath] {
        var paths: [FieldPath] = []
        for (index, text) in texts.enumerated() {
            do {
                paths.append(try FieldPath(parsing: text))
            } catch {
                let place = isList ? path + [.place(index + 1)] : path
                faults.tell(
                    .fieldPath, at: place, "`\(place.written)` = \"\(text)\" cannot be read as a path: \(error.message)",
                    hint: "write names joined by dots: \"data.message.title\"")
            }
        }
        return paths
    }

    private mutating func readLinks(_ value: JSONValue) {
        let path: [PathStep] = [.key("links")]
        guard let members = faults.members(value, at: path, wanted: "a table such as { schemes = { \"shop\" } }")
        else { return }
        var schemes: [String]?
        var hosts: [String]?
        var fallback: String?
        for member in members {
            let key = member.key.string
            let place = path + [.key(key)]
            switch key {
            case "schemes": schemes = readSchemes(member, at: place)
            case "hosts": hosts = readHosts(member, at: place)
            case "fallback": fallback = readFallback(member, at: place)
            case "order": manifest.linkOrder = faults.texts(member, at: place)
            default: faults.unknownKey(key, in: "`links`", at: path, known: Self.linkKeys)
            }
        }
        manifest.links = Manifest.Links(schemes: schemes, hosts: hosts, fallback: fallback)
    }

    private mutating func readSchemes(_ value: JSONValue, at path: [PathStep]) -> [String]? {
        guard let schemes = faults.texts(value, at: path) else { return nil }
        for (index, scheme) in schemes.enumerated() {
            let isScheme =
                scheme.utf8.first.map { (97...122).contains($0 | 32) } ?? false
                && scheme.utf8.allSatisfy {
                    (97...122).contains($0 | 32) || (48...57).contains($0) || "+-.".utf8.contains($0)
                }
            guard !isScheme else { continue }
            let bare = scheme.prefix { $0 != ":" }
            faults.tell(
                .badValue, at: path + [.place(index + 1)], "`links.schemes[\(index + 1)]` = \"\(scheme)\" is not a scheme",
                hint: bare.count < scheme.count && !bare.isEmpty ? "write \"\(bare)\", without `:` and slashes" : nil)
        }
        return schemes.map { $0.lowercased() }
    }

    private mutating func readHosts(_ value: JSONValue, at path: [PathStep]) -> [String]? {
        guard let hosts = faults.texts(value, at: path) else { return nil }
        for (index, host) in hosts.enumerated() {
            let name = host.hasPrefix("*.") ? host.dropFirst(2) : host[...]
            guard Address("https://\(name)")?.host != name.lowercased() else { continue }
            faults.tell(
                .badValue, at: path + [.place(index + 1)], "`links.hosts[\(index + 1)]` = \"\(host)\" is not a host",
                hint: "write the name alone, such as \"example.com\", or \"*.example.com\" for all below it")
        }
        return hosts
    }

    private mutating func readFallback(_ value: JSONValue, at path: [PathStep]) -> String? {
        guard let fallback = faults.text(value, at: path) else { return nil }
        // Without schemes and hosts of the app: its fallback may lead elsewhere, but never to something that runs.
        if case .refused(let why) = LinkPolicy(nil).verdict(on: fallback) {
            faults.tell(
                .badValue, at: path, "`links.fallback` = \"\(fallback)\" \(why)",
                hint: "write a whole address, such as \"shop://home\"")
        }
        return fallback
    }

    private mutating func readTopics(_ value: JSONValue) {
        guard let templates = faults.texts(value, at: [.key("topics")]) else { return }
        for (index, text) in templates.enumerated() {
            do throws(TopicTemplate.Fault) {
                manifest.topics.append(try TopicTemplate(text))
            } catch {
                let hint: String =
                    switch error {
                    case .unknownPlaceholder(let name):
                        DidYouMean.nearest(to: name, among: TopicTemplate.placeholders).map { "did you mean {\($0)}?" }
                            ?? "a placeholder is {recipient} or {account}"
                    case .brace: "a placeholder is written {recipient} or {account}"
                    case .notATopic: "letters, digits and - _ . ~ %, with {recipient} where the person's id goes"
                    }
                faults.tell(
                    .badValue, at: [.key("topics"), .place(index + 1)],
                    "`topics[\(index + 1)]` = \"\(text)\" is not a topic template", hint: hint)
            }
        }
    }

    private mutating func readLimits(_ value: JSONValue) {
        let path: [PathStep] = [.key("limits")]
        guard let members = faults.members(value, at: path, wanted: "a table such as { fuel = 500000 }") else { return }
        for member in members {
            let key = member.key.string
            let place = path + [.key(key)]
            switch key {
            case "fuel": manifest.limits.fuel = faults.positiveInteger(member, at: place)
            case "memory_bytes": manifest.limits.memoryBytes = faults.positiveInteger(member, at: place)
            case "milliseconds": manifest.limits.milliseconds = faults.positiveInteger(member, at: place)
            default: faults.unknownKey(key, in: "`limits`", at: path, known: Self.limitKeys)
            }
        }
    }

    private mutating func readDedupe(_ value: JSONValue) {
        let path: [PathStep] = [.key("dedupe")]
        guard let members = faults.members(value, at: path, wanted: "a table such as { window = \"28d\" }") else { return }
        for member in members {
            let key = member.key.string
            switch key {
            case "window": manifest.dedupe.windowMilliseconds = duration(member, at: path + [.key(key)])
            case "content_window": manifest.dedupe.contentWindowMilliseconds = duration(member, at: path + [.key(key)])
            default: faults.unknownKey(key, in: "`dedupe`", at: path, known: Self.dedupeKeys)
            }
        }
    }

    /// Seconds, or text such as "5s".
    private mutating func duration(_ value: JSONValue, at path: [PathStep]) -> Int64? {
        if let seconds = value.integer, seconds >= 0, seconds <= TimeShape.longestDuration / 1000 { return seconds &* 1000 }
        if let text = value.text, let milliseconds = TimeShape.duration(text) { return milliseconds }
        faults.wrongType(value, at: path, wanted: "seconds or a duration such as \"5s\" or \"28d\"")
        return nil
    }

    private mutating func readOnError(_ value: JSONValue) {
        let path: [PathStep] = [.key("on_error")]
        guard let word = faults.text(value, at: path) else { return }
        if let onError = Manifest.OnError(rawValue: word) {
            manifest.onError = onError
        } else {
            faults.unknownWord(word, at: path, noun: "something to do on an error", known: Manifest.OnError.allCases.map(\.rawValue))
        }
    }

    private mutating func readGuards(_ value: JSONValue) {
        let path: [PathStep] = [.key("guards")]
        guard let members = faults.members(value, at: path, wanted: "a table such as { expired = false }") else { return }
        for member in members {
            let name = member.key.string
            guard let which = GuardName(rawValue: name) else {
                faults.unknownKey(name, in: "`guards`", at: path, known: GuardName.allCases.map(\.rawValue))
                continue
            }
            let place = path + [.key(name)]
            if let truth = member.bool {
                manifest.guards[which] = truth ? .on : .off
            } else if let word = member.text {
                switch word.string {
                case "on": manifest.guards[which] = .on
                case "off": manifest.guards[which] = .off
                case "warn": manifest.guards[which] = .warn
                default: faults.unknownWord(word.string, at: place, noun: "a guard's mode", known: Self.guardModes)
                }
            } else {
                faults.wrongType(member, at: place, wanted: "false, \"off\" or \"warn\"")
            }
        }
    }
}
