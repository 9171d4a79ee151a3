// What of a state takes the most room, for whoever is told that it is too large to be written. In words, without a name: nobody
// needs to know whose it is. Called by StateFile.
import RuleEngine

enum StateWeight {
    /// "most of it is what rules stored for 3 people, about 61200000 bytes"
    static func words(_ state: AppState) -> String {
        let people = state.recipients.map(\.value)
        var parts: [(what: String, bytes: Int, people: Int)] = [("what rules stored for the app", bytes(of: state.shared), 0)]
        func add(_ what: String, _ bytes: (RecipientState) -> Int) {
            let sizes = people.map(bytes)
            parts.append((what, sizes.reduce(0, +), sizes.count { $0 > 0 }))
        }
        add("what rules stored") { self.bytes(of: $0.values) }
        add("the record of messages that were here, kept for the window of `dedupe`") { $0.seen.messages.reduce(0) { $0 + bytes(of: $1) } }
        add("messages that are held back") { $0.deferred.reduce(0) { $0 + $1.message.count + $1.device.count } }
        add("the inbox") { $0.inbox.reduce(0) { $0 + $1.count } }
        add("what caps have counted") { $0.caps.reduce(0) { $0 + $1.key.utf8.count + $1.value.instants.count * instant } }
        guard let largest = parts.max(by: { $0.bytes < $1.bytes }) else { return "" }
        let whose = largest.people == 0 ? "" : largest.people == 1 ? " for one person" : " for \(largest.people) people"
        let advice = largest.people > 1 ? "; keep the state of fewer people in one file" : ""
        return "most of it is \(largest.what)\(whose), about \(largest.bytes) bytes\(advice)"
    }

    /// As text, in quotes.
    private static let instant = 26

    private static func bytes(of values: ExactTable<StoredValue>) -> Int {
        values.reduce(0) { $0 + $1.key.utf8.count + $1.value.json.count }
    }

    private static func bytes(of message: SeenMessage) -> Int {
        // The names of its parts, the digest of its content and the instant of its first copy.
        let fixed = 180
        return message.caps.reduce(fixed + message.id.utf8.count + (message.openRoute?.count ?? 0)) { $0 + $1.utf8.count }
    }
}
