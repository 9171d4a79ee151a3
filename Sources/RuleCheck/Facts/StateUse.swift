// Which keys of the state an app's scripts write and read, as far as they are written out.

import PushMessage

struct StateUse {
    struct Key: Hashable {
        let text: String
        /// `state.app`
        let isOfApp: Bool
    }
    struct Place {
        let file: CheckedFile
        let offset: Int
        let rule: String?
    }

    private(set) var written: [Key: Place] = [:]
    private(set) var read: [Key: Place] = [:]
    /// Beginnings of keys that are put together: what begins so may be meant. An empty one is any key.
    private var writtenPrefixes: [Key] = []
    private var readPrefixes: [Key] = []

    init(of app: CheckedApp) {
        var names: Set<String> = []
        for table in ["state", "state.app"] {
            for name in ["get", "set", "incr", "has", "delete", "keys"] { names.insert("\(table).\(name)") }
        }
        let statements = StateUse.statements(of: app)
        for (file, rule, name, call) in app.calls(of: names, in: app.files) {
            let isOfApp = name.hasPrefix("state.app.")
            let place = Place(file: file, offset: call.arguments.first?.start ?? call.offset, rule: rule?.name)
            let (text, isWhole) = StateUse.key(call.arguments.first)
            let key = Key(text: text, isOfApp: isOfApp)
            switch name.split(separator: ".").last {
            case "set": note(key, isWhole, place, &written, &writtenPrefixes)
            case "incr":
                note(key, isWhole, place, &written, &writtenPrefixes)
                if !statements.contains(call.start) { note(key, isWhole, place, &read, &readPrefixes) }
            case "get", "has": note(key, isWhole, place, &read, &readPrefixes)
            case "keys": readPrefixes.append(key)
            default: break
            }
        }
    }

    private func note(_ key: Key, _ isWhole: Bool, _ place: Place, _ keys: inout [Key: Place], _ prefixes: inout [Key]) {
        if isWhole { if keys[key] == nil { keys[key] = place } } else { prefixes.append(key) }
    }

    var neverRead: [(Key, Place)] { missing(written, from: read, readPrefixes) }
    var neverWritten: [(Key, Place)] { missing(read, from: written, writtenPrefixes) }

    private func missing(_ keys: [Key: Place], from others: [Key: Place], _ prefixes: [Key]) -> [(Key, Place)] {
        keys.filter { key, _ in
            others[key] == nil && !prefixes.contains { $0.isOfApp == key.isOfApp && key.text.hasPrefix($0.text) }
        }.filter { $1.file.kind != .shared }.map { ($0, $1) }
    }

    /// Of `"room:" .. id` the beginning.
    private static func key(_ argument: LuaExpression?) -> (text: String, isWhole: Bool) {
        switch argument?.followed {
        case .text(let text, _)?: (text, true)
        case .binary("..", let left, _, _)?: (key(left).text, false)
        default: ("", false)
        }
    }

    /// Calls whose answer nobody takes.
    private static func statements(of app: CheckedApp) -> Set<Int> {
        Set(
            app.files.flatMap(\.contents.statements).compactMap { statement in
                if case .call(let call) = statement { call.start } else { nil }
            })
    }
}

extension StateUse.Key {
    /// What to do about a key that nothing answers.
    func advice(among others: some Sequence<StateUse.Key>, _ otherwise: String) -> String {
        if others.contains(where: { $0.text == text }) {
            return "a person's state and the app's are two things: here it is \(owner), elsewhere \(isOfApp ? "state" : "state.app")"
        }
        return DidYouMean.nearest(to: text, among: others.map(\.text).sorted()).map { "did you mean \"\($0)\"?" } ?? otherwise
    }

    /// `state` or `state.app`
    var owner: String { isOfApp ? "state.app" : "state" }
}
