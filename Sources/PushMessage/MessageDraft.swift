// A message while it is being read. Readers of the formats offer it values in the order in which sources count: the
// first value of the right type that is not empty fills a field, every wrong one becomes lint. MessageReader
// finishes it and makes the tape.
import JSONDocument

struct MessageDraft {
    var format = MessageFormat.unknown
    /// The format of the message inside a CloudEvent; else the same as `format`.
    var inner = MessageFormat.unknown
    var platform = Platform.ios

    private let table: FieldTable
    /// Fields that a path into JSON inside a text has filled, with that path as it was written.
    private(set) var mappedPlaces: [(field: MessageField, path: String)] = []

    /// Bits of the fields that the app's field map has filled.
    private var mappedFields: UInt64 = 0

    var badge: Int?
    var sound: Sound?
    var loc = LocKeys()
    var relevance: JSONValue?
    var ttl: Int64?
    var sentAt: Instant?
    var expiresAt: Instant?
    private var contentAvailableFlag: Bool?
    private var mutableContentFlag: Bool?
    var schedule = Schedule()
    /// The wire format carries text for the system to show.
    var hasAlert = false
    var isLiveActivity = false
    var isIDGenerated = false

    var ids = IDCandidates()
    var content = CustomContent()
    var size = PayloadSize()
    var lint = Lint()

    /// While a value from JSON inside a text is offered: where that text stands, and the path.
    private var detour: (offset: UInt32, path: String)?

    init(_ table: FieldTable = FieldTable()) { self.table = table }

    var contentAvailable: Bool { contentAvailableFlag ?? false }
    var mutableContent: Bool { mutableContentFlag ?? false }
    var isSilent: Bool { schedule.isCarrier || (contentAvailable && !hasAlert) }

    subscript(_ field: MessageField) -> JSONText? {
        let text = table[text: field]
        return text.isEmpty ? nil : text
    }

    /// Forgets the message before.
    mutating func begin(format: MessageFormat, inner: MessageFormat, platform: Platform) {
        table.removeAll()
        self = MessageDraft(table)
        self.format = format
        self.inner = inner
        self.platform = platform
    }

    // MARK: offering values

    mutating func set(_ field: MessageField, _ text: JSONText) {
        table[text: field] = text
    }

    /// Fills a field with a text that was derived from `source`.
    mutating func offer(_ text: JSONText, as field: MessageField, from source: JSONValue) {
        guard !text.isEmpty, table[text: field].isEmpty else { return }
        table[text: field] = text
        mark(field, source)
    }

    mutating func offerText(_ value: JSONValue, as field: MessageField) {
        guard let text = value.text else {
            if !value.isNull { wrongType(value, expected: "text") }
            return
        }
        offer(text, as: field, from: value)
    }

    /// A text out of a list; another one is lint and does not count.
    mutating func offerWord(_ value: JSONValue, as field: MessageField, among words: [JSONText]) {
        guard let text = value.text else { return offerText(value, as: field) }
        guard !text.isEmpty else { return }
        guard words.contains(text) else { return unknownWord(value, text, words.map(\.string)) }
        offer(text, as: field, from: value)
    }

    /// 1, "1" and true say yes, 0, "0" and false no; anything else is lint and says nothing.
    mutating func offerFlag(_ value: JSONValue, as field: MessageField) {
        guard let flag = flag(value) else { return }
        if field == .contentAvailable {
            guard contentAvailableFlag == nil else { return }
            contentAvailableFlag = flag
        } else {
            guard mutableContentFlag == nil else { return }
            mutableContentFlag = flag
        }
        mark(field, value)
    }

    /// nil, with lint unless it is null, for anything that is no flag.
    mutating func flag(_ value: JSONValue) -> Bool? {
        switch value.kind {
        case .true: return true
        case .false: return false
        case .null: return nil
        case .integer where value.integer == 1: return true
        case .integer where value.integer == 0: return false
        case .string where value.text == JSONText("1"): return true
        case .string where value.text == JSONText("0"): return false
        case .integer, .decimal, .string:
            note(.unknownValue, value, "This is a switch and has none of the values that count.", hint: "write 1 or true")
        case .array, .object, .function: wrongType(value, expected: "1 or true")
        }
        return nil
    }

    mutating func mark(_ field: MessageField, _ source: JSONValue) {
        table[place: field] = place(of: source)
        if let detour { mappedPlaces.append((field, detour.path)) }
    }

    /// A field that follows from another one has the same source.
    mutating func copyPlace(of field: MessageField, to derived: MessageField) {
        table[place: derived] = table[place: field]
        if let mapped = mappedPlaces.first(where: { $0.field == field }) { mappedPlaces.append((derived, mapped.path)) }
    }

    mutating func markMapped(_ field: MessageField) { mappedFields |= 1 << UInt64(field.rawValue) }

    /// The field map has filled something.
    var hasMapped: Bool { mappedFields != 0 }

    func isMapped(_ field: MessageField) -> Bool { mappedFields & (1 << UInt64(field.rawValue)) != 0 }

    /// The field was read from JSON inside a text.
    func isInsideText(_ field: MessageField) -> Bool { mappedPlaces.contains { $0.field == field } }

    func isFilled(_ field: MessageField) -> Bool { table[place: field] != nil }

    /// Where the value that filled a field begins in the raw text.
    func offset(of field: MessageField) -> Int? { table[place: field].map(Int.init) }

    // MARK: lint

    mutating func note(_ code: WarningCode, _ value: JSONValue, _ message: String, hint: String? = nil) {
        lint.add(code, at: place(of: value), message, hint: hint)
    }

    mutating func wrongType(_ value: JSONValue, expected: String) {
        note(.wrongType, value, "This is \(value.kind.noun) and does not count.", hint: "write \(expected) here")
    }

    mutating func unknownWord(_ value: JSONValue, _ text: JSONText, _ words: [String]) {
        let near = DidYouMean.nearest(to: text.string, among: words)
        note(
            .unknownValue, value, "This is none of the words that count here.",
            hint: near.map { "did you mean `\($0)`?" } ?? "one of \(words.joined(separator: ", "))")
    }

    /// Runs `body` with every source and lint placed at the text that holds the JSON `body` looks into.
    mutating func within(_ text: JSONValue, path: String, _ body: (inout MessageDraft) -> Void) {
        detour = (UInt32(truncatingIfNeeded: text.offset), path)
        body(&self)
        detour = nil
    }

    private func place(of value: JSONValue) -> UInt32 { detour?.offset ?? UInt32(truncatingIfNeeded: value.offset) }
}

extension JSONKind {
    /// For sentences: "This is …".
    var noun: String {
        switch self {
        case .null: "null"
        case .true, .false: "a boolean"
        case .integer, .decimal: "a number"
        case .string: "text"
        case .array: "a list"
        case .object: "an object"
        case .function: "a function"
        }
    }
}
