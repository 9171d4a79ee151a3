// Messages for the reference job that differ in ids and texts, the same ones on every run, so that nothing can be
// answered from memory. All are about as long as the one they are made from.

extension ReferenceJob {
    public static func messages(_ count: Int) -> [[UInt8]] { (0..<count).map(message) }

    private static func message(_ number: Int) -> [UInt8] {
        let digits = String(String(10_000 + number).dropFirst())
        let sender = senders[number % senders.count]
        let body = bodies[(number / senders.count) % bodies.count]
        let replacements: [(String, String)] = [
            ("Mina", sender), (originalBody, body + " (\(digits))"), ("room-8812", "room-\(digits)"),
            ("m-20261130-0001", "m-20261130-\(digits)"), ("u-991", "u-\(number % 997)"),
            ("4411", digits), ("fcm-token-0001", "fcm-token-\(digits)"), ("7734", "\(7000 + number % 1000)"),
        ]
        return replacements.reduce(message) { text, pair in replace(pair.0, by: pair.1, in: text) }
    }

    private static func replace(_ old: String, by new: String, in text: [UInt8]) -> [UInt8] {
        let old = Array(old.utf8)
        var result: [UInt8] = []
        result.reserveCapacity(text.count + 64)
        var at = 0
        while at < text.count {
            if text[at] == old[0], text[at...].starts(with: old) {
                result += new.utf8
                at += old.count
            } else {
                result.append(text[at])
                at += 1
            }
        }
        return result
    }

    private static let originalBody =
        "Are we still on for lunch at noon? I found a place near the station that looks great."

    private static let senders = ["Mina", "Joon", "Sora", "Theo", "Anouk", "Bela", "Chidi", "Dara", "Ewa", "Farid"]

    private static let bodies = [
        "Are we still on for lunch at noon? There is a new place near the station.",
        "The train is late again, please start without me and keep a chair free.",
        "Here are the pictures of Sunday, the third one is the best of all of them.",
        "Can you bring the blue folder tomorrow? It should be on the second shelf.",
        "I said \\\"maybe\\\", not \\\"yes\\\": ask the others before you book the room.",
        "We moved the call to half past four, the link in the calendar stays as is.",
        "Thanks for yesterday! The recipe is in the shared folder, with my notes.",
    ]
}

extension ReferenceJob {
    /// The message with a text of data so long that the whole has so many bytes; as it is when it is long enough.
    public static func padded(_ message: [UInt8], to length: Int) -> [UInt8] {
        let member = Array(#","param":""#.utf8)
        guard let place = firstPlace(of: member, in: message), message.count < length else { return message }
        let padding = [UInt8](repeating: UInt8(ascii: "x"), count: length - message.count)
        return message[..<(place + member.count)] + padding + message[(place + member.count)...]
    }

    private static func firstPlace(of part: [UInt8], in text: [UInt8]) -> Int? {
        text.indices.first { text[$0...].starts(with: part) }
    }
}
