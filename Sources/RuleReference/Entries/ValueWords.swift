// What a value may be, in words: "a whole number from 0 to 100", "one of "rolling", "calendar"".

extension ValueType {
    public var inWords: String {
        switch self {
        case .text: "a text"
        case .form(let form): form.words
        case .words(let words): words.map { "\"\($0)\"" }.joined(separator: words.count == 2 ? " or " : ", ")
        case .integer(nil): "a whole number"
        case .integer(let range?) where range.upperBound >= Int(Int32.max):
            range.lowerBound < 0 ? "a whole number" : "a whole number from \(range.lowerBound) on"
        case .integer(let range?) where range.count == 1: "\(range.lowerBound)"
        case .integer(let range?): "a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .number(nil): "a number"
        case .number(let range?): "a number from \(ValueType.plain(range.lowerBound)) to \(ValueType.plain(range.upperBound))"
        case .truth: "true or false"
        case .only(let truth): "\(truth)"
        case .anything: "any value"
        case .function(let parameters, _): "a function(\(parameters.map(\.name).joined(separator: ", ")))"
        case .list(.words(let words)): "a list of " + ValueType.words(words).inWords
        case .list(let type): "a list: each \(type.inWords)"
        case .map(let type, let by): "a table, by \(by): each \(type.inWords)"
        case .table(let table): "a table of " + table.names.map { "`\($0)`" }.joined(separator: ", ")
        case .named(let name): "a table: see \(name)"
        case .either(let types): types.map(\.inWords).joined(separator: "; or ")
        case .nothing: "nil"
        }
    }

    private static func plain(_ number: Double) -> String { Int(exactly: number).map { "\($0)" } ?? "\(number)" }
}
