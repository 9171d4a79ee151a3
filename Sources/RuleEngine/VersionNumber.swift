// Versions of systems and apps: compared part by part as numbers, so that 3.10 is newer than 3.9 and 3.2 is 3.2.0.
import JSONDocument

struct VersionNumber: Sendable, Equatable {
    let parts: [Int]

    /// nil when the text does not begin with a digit.
    init?(_ text: String) {
        var text = text
        let parts = text.withUTF8 { bytes -> [Int] in
            var reader = VersionParts(JSONText(start: bytes.baseAddress, count: bytes.count))
            var parts: [Int] = []
            while let part = reader.next() { parts.append(part) }
            return parts
        }
        guard !parts.isEmpty else { return nil }
        self.parts = parts
    }

    /// The text does not begin with a digit.
    static func isUnreadable(_ text: JSONText) -> Bool {
        var reader = VersionParts(text)
        return reader.next() == nil
    }

    /// Negative when `text` is older, 0 when it is the same, positive when it is newer; nil when `text` is no version.
    func order(of text: JSONText) -> Int? {
        var reader = VersionParts(text)
        guard var part = reader.next() else { return nil }
        for mine in parts {
            if part != mine { return part < mine ? -1 : 1 }
            part = reader.next() ?? 0
        }
        while part == 0 {
            guard let next = reader.next() else { return 0 }
            part = next
        }
        return 1
    }
}

/// `>=3.2`, `<4`, `3.2` (the same).
struct VersionRequirement: Sendable, Equatable {
    enum Relation: Sendable { case same, older, atMost, newer, atLeast }
    let relation: Relation
    let version: VersionNumber

    init?(_ text: String) {
        let relations: [(String, Relation)] = [
            (">=", .atLeast), ("<=", .atMost), (">", .newer), ("<", .older), ("==", .same), ("=", .same),
        ]
        var rest = Substring(text)
        var relation = Relation.same
        for (sign, meaning) in relations where rest.hasPrefix(sign) {
            relation = meaning
            rest = rest.dropFirst(sign.count)
            break
        }
        guard let version = VersionNumber(String(rest.drop { $0 == " " })) else { return nil }
        self.relation = relation
        self.version = version
    }

    init(atLeast version: VersionNumber) {
        self.relation = .atLeast
        self.version = version
    }

    func isMet(by text: JSONText) -> Bool {
        guard let order = version.order(of: text) else { return false }
        return switch relation {
        case .same: order == 0
        case .older: order < 0
        case .atMost: order <= 0
        case .newer: order > 0
        case .atLeast: order >= 0
        }
    }
}

/// The numbers between the dots, from the front, until something else stands there.
private struct VersionParts {
    private let text: JSONText
    private var place = 0

    init(_ text: JSONText) { self.text = text }

    mutating func next() -> Int? {
        let bytes = text.bytes
        guard place < bytes.count, bytes[place] >= 48, bytes[place] <= 57 else { return nil }
        var number = 0
        while place < bytes.count, bytes[place] >= 48, bytes[place] <= 57 {
            // Held at a billion: whatever is larger compares as equally large.
            number = min(number &* 10 &+ Int(bytes[place] &- 48), 1_000_000_000)
            place += 1
        }
        if place < bytes.count, bytes[place] == UInt8(ascii: ".") {
            place += 1
        } else {
            place = bytes.count
        }
        return number
    }
}
