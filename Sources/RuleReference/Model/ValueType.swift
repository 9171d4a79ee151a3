// What a value may be, once for everybody who has to know: the terminal says it in words, editors get it as annotations
// and JSON Schemas, and whoever checks rules compares with it.

public indirect enum ValueType: Sendable {
    case text
    /// A text that must be written in a certain way.
    case form(TextForm)
    /// One of these texts.
    case words([String])
    /// A whole number.
    case integer(ClosedRange<Int>?)
    case number(ClosedRange<Double>?)
    case truth
    /// Only this one of true and false.
    case only(Bool)
    /// What JSON can hold.
    case anything
    /// A function with these parameters that gives one of these.
    case function([Parameter], ValueType)
    case list(ValueType)
    /// A table of values of one type by names that nobody fixes; the text says what the names are.
    case map(ValueType, by: String)
    case table(Table)
    /// A table that is described elsewhere, by its name.
    case named(String)
    case either([ValueType])
    /// nil, or in JSON null.
    case nothing

    public static let anyInteger = ValueType.integer(nil)
    public static let anyNumber = ValueType.number(nil)
    /// 0 and above, as far as a badge goes.
    public static let count = ValueType.integer(0...Int(Int32.max))

    public func orOne(_ other: ValueType) -> ValueType { .either([other, self]) }
    /// The type itself, or a list of it.
    public var oneOrMore: ValueType { .either([self, .list(self)]) }
    public var orNothing: ValueType { .either([self, .nothing]) }
}

/// What a function is given.
public struct Parameter: Sendable {
    public let name: String
    public let type: ValueType
    public let isOptional: Bool
    /// Any number of them.
    public let repeats: Bool
    /// What it is, where the name does not say it; without a full stop.
    public let meaning: String?

    public init(_ name: String, _ type: ValueType, optional: Bool = false, repeats: Bool = false, _ meaning: String? = nil) {
        self.name = name
        self.type = type
        isOptional = optional
        self.repeats = repeats
        self.meaning = meaning
    }
}
