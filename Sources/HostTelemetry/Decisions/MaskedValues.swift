// What was replaced in one line of the decision log, and what it became, so that it is found again wherever the decision says it: by itself, or
// within a text. Belongs to Masking; it never sees what was not masked.
import Glibc
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
    /// Of texts that cannot stand in a sentence as they came.
    private var cores: [(from: [UInt8], to: [UInt8])] = []
    /// What any number becomes.
    private static let number: [UInt8] = [0x30]
    /// Shorter ones are replaced only where they stand by themselves.
    private static let shortest = 4

    var isEmpty: Bool { texts.isEmpty && numbers.isEmpty }

    mutating func add(text: [UInt8], as name: String) {
        let to = Array(name.utf8)
        add(text, to)
        // As warnings and reasons quote it.
        let whole = String(decoding: text, as: UTF8.self)
        let quoted = whole.shortened
        if quoted.utf8.count < text.count { add(Array(quoted.utf8).dropLast("…".utf8.count), to) }
        // As errors of rules quote it, on one line.
        let core = SentenceCore(whole)
        if core.isLess, core.bytes.count >= MaskedValues.shortest { cores.append((core.bytes, to)) }
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

    private static let cut = Array("…".utf8)
    /// A text of so many bytes may have been cut where it was taken over.
    private static let cuttable = 256

    /// nil: nothing of it was masked.
    func replaced(in text: JSONText) -> String? {
        if texts.isEmpty { return nil }
        let bytes = Array(text.bytes)
        if let whole = texts.first(where: { $0.from == bytes }) { return String(decoding: whole.to, as: UTF8.self) }
        // First: the beginning that is left may hold shorter ones.
        var found = replacedAtTheEnd(of: bytes)
        for (from, to) in cores {
            if let replaced = SentenceCore(String(decoding: found ?? bytes, as: UTF8.self)).replacing(from, by: to) { found = replaced }
        }
        for text in texts where text.from.count >= MaskedValues.shortest {
            if let replaced = MaskedValues.replace(text.from, by: text.to, in: found ?? bytes) { found = replaced }
        }
        return found.map { String(decoding: $0, as: UTF8.self) }
    }

    /// Where a text was cut, the beginning of a value may be left.
    private func replacedAtTheEnd(of bytes: [UInt8]) -> [UInt8]? {
        let isCut = bytes.ends(with: MaskedValues.cut)
        guard isCut || bytes.count >= MaskedValues.cuttable else { return nil }
        let end = isCut ? bytes.count - MaskedValues.cut.count : bytes.count
        var first: (place: Int, to: [UInt8])?
        for text in texts {
            let begin = max(0, end - text.from.count + 1)
            guard begin <= end - MaskedValues.shortest else { continue }
            for place in begin...(end - MaskedValues.shortest) where bytes[place..<end].elementsEqual(text.from.prefix(end - place)) {
                if place < first?.place ?? .max { first = (place, text.to) }
                break
            }
        }
        return first.map { bytes[..<$0.place] + $0.to + bytes[end...] }
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
        if double.isFinite { texts += [Array(DecimalText(double).string.utf8), luaText] }
        if let integer { texts += [Array("\(integer).0".utf8), Array("\(integer)".utf8)] }
        return texts
    }

    /// As `tostring` writes a float (LUAI_NUMFFORMAT in luaconf.h).
    private var luaText: [UInt8] {
        var text = [CChar](repeating: 0, count: 40)
        let count = withVaList([double]) { vsnprintf(&text, text.count, "%.14g", $0) }
        return text.prefix(max(0, Int(count))).map { UInt8(bitPattern: $0) }
    }
}

extension [UInt8] {
    fileprivate func ends(with other: [UInt8]) -> Bool { count >= other.count && self[(count - other.count)...].elementsEqual(other) }
}
