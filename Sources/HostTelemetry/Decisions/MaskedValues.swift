// What was replaced in one line of the decision log, and what it became, so that it is found again wherever the decision says it: by itself, or
// within a text. Belongs to Masking; it never sees what was not masked.
import JSONDocument
import PushMessage

struct MaskedValues {
    private struct Text {
        let from: [UInt8]
        let to: [UInt8]
    }

    /// The longest first: a short one may be part of it.
    private var texts: [Text] = []
    private var numbers: [JSONNumber] = []
    /// What any number becomes.
    private static let number: [UInt8] = [0x30]
    /// Shorter ones are replaced only where they stand by themselves.
    private static let shortest = 4

    var isEmpty: Bool { texts.isEmpty && numbers.isEmpty }

    mutating func add(text: [UInt8], as name: String) {
        let to = Array(name.utf8)
        add(text, to)
        // As warnings and reasons quote it.
        let quoted = String(decoding: text, as: UTF8.self).shortened
        if quoted.utf8.count < text.count { add(Array(quoted.utf8).dropLast("…".utf8.count), to) }
    }

    mutating func add(number value: JSONValue) {
        guard let number = JSONNumber(value), !numbers.contains(number) else { return }
        numbers.append(number)
        for text in number.texts where text != MaskedValues.number { add(text, MaskedValues.number) }
    }

    private mutating func add(_ from: some Sequence<UInt8>, _ to: [UInt8]) {
        let from = Array(from)
        guard !from.isEmpty, !texts.contains(where: { $0.from == from }) else { return }
        let place = texts.firstIndex { $0.from.count < from.count } ?? texts.endIndex
        texts.insert(Text(from: from, to: to), at: place)
    }

    /// nil: nothing of it was masked.
    func replaced(in text: JSONText) -> String? {
        if texts.isEmpty { return nil }
        let bytes = Array(text.bytes)
        if let whole = texts.first(where: { $0.from == bytes }) { return String(decoding: whole.to, as: UTF8.self) }
        var found: [UInt8]?
        for text in texts where text.from.count >= MaskedValues.shortest {
            if let replaced = MaskedValues.replace(text.from, by: text.to, in: found ?? bytes) { found = replaced }
        }
        return found.map { String(decoding: $0, as: UTF8.self) }
    }

    func hides(number value: JSONValue) -> Bool { !numbers.isEmpty && JSONNumber(value).map(numbers.contains) == true }

    /// nil: it is not in there.
    private static func replace(_ from: [UInt8], by to: [UInt8], in text: [UInt8]) -> [UInt8]? {
        guard from.count <= text.count else { return nil }
        var result: [UInt8] = []
        var isFound = false
        var place = 0
        while place < text.count {
            if place + from.count <= text.count, text[place..<place + from.count].elementsEqual(from) {
                result += to
                place += from.count
                isFound = true
            } else {
                result.append(text[place])
                place += 1
            }
        }
        return isFound ? result : nil
    }
}

/// A number, however it is written: rules read `4711.0` and may show `4711`.
private struct JSONNumber: Equatable {
    private let literal: [UInt8]
    private let integer: Int64?
    private let double: Double

    /// nil: it is none.
    init?(_ value: JSONValue) {
        guard let literal = value.literal, let double = value.double else { return nil }
        self.literal = Array(literal.bytes)
        self.double = double
        integer = value.integer ?? Int64(exactly: double)
    }

    static func == (one: JSONNumber, other: JSONNumber) -> Bool {
        if let integer = one.integer, let number = other.integer { return integer == number }
        return one.literal == other.literal || one.double == other.double
    }

    /// As it came, as rules show it (Lua manual §3.4.3: an integer, or a float that looks like one), and as JSON is written here.
    var texts: [[UInt8]] {
        var texts = [literal]
        if double.isFinite { texts.append(Array(DecimalText(double).string.utf8)) }
        if let integer { texts += [Array("\(integer).0".utf8), Array("\(integer)".utf8)] }
        return texts
    }
}
