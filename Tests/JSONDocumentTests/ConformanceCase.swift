// Texts and what a correct reader makes of them: Tests/Cases/json/*.jsonl, one object a line. `json` is the text, or
// `hex` its bytes where they are not UTF-8.
import Glibc
import JSONDocument
import Testing

struct ConformanceCase: Sendable, CustomTestStringConvertible {
    var name = ""
    var bytes: [UInt8] = []
    var kind: String?
    var count: Int?
    var shadowed: Int?
    var string: String?
    var isEscaped = false
    var isReplaced = false
    var literal: String?
    var integer: Int64?
    /// A decimal's value in Swift's notation.
    var decimal: String?
    var overflows = false
    var code: String?
    var offset, line, column: Int?

    var testDescription: String { name }

    static let accepted = load("accepted.jsonl")
    static let refused = load("refused.jsonl")
    static let places = load("places.jsonl")

    /// A file that is missing or cannot be read gives one case that says so and fails.
    private static func load(_ file: String) -> [ConformanceCase] {
        let path =
            #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(2)
            .joined(separator: "/") + "/Cases/json/" + file
        let document = JSONDocument()
        var cases: [ConformanceCase] = []
        for line in contents(ofFile: path).split(separator: UInt8(ascii: "\n")) {
            do throws(JSONFault) {
                try document.read(Array(line))
                if let root = document.root { cases.append(ConformanceCase(root)) }
            } catch {
                cases.append(ConformanceCase(name: "\(file): \(error.message) in column \(error.column)"))
            }
        }
        return cases.isEmpty ? [ConformanceCase(name: "\(path) cannot be read")] : cases
    }

    private init(name: String) { self.name = name }

    private init(_ value: JSONValue) {
        name = value["name"]?.text?.string ?? ""
        if let text = value["json"]?.text {
            bytes = Array(text.string.utf8)
        } else if let hex = value["hex"]?.text?.string {
            let digits = Array(hex)
            bytes = stride(from: 0, to: digits.count, by: 2).compactMap { UInt8(String(digits[$0...$0 + 1]), radix: 16) }
        }
        kind = value["kind"]?.text?.string
        count = value["count"]?.integer.map(Int.init)
        shadowed = value["shadowed"]?.integer.map(Int.init)
        string = value["string"]?.text?.string
        isEscaped = value["escaped"]?.bool ?? false
        isReplaced = value["replaced"]?.bool ?? false
        literal = value["literal"]?.text?.string
        integer = value["integer"]?.integer
        decimal = value["text"]?.text?.string
        overflows = value["overflow"]?.bool ?? false
        code = value["code"]?.text?.string
        offset = value["offset"]?.integer.map(Int.init)
        line = value["line"]?.integer.map(Int.init)
        column = value["column"]?.integer.map(Int.init)
    }
}

func contents(ofFile path: String) -> [UInt8] {
    guard let file = fopen(path, "rb") else { return [] }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
        let count = fread(&chunk, 1, chunk.count, file)
        if count == 0 { return bytes }
        bytes += chunk[..<count]
    }
}

/// A real message, as the benchmarks read it.
let realMessage = contents(
    ofFile: #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")
        + "/Benchmarks/reference/message.json")
