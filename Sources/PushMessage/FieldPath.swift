// A place in a raw message, as an app's field map and link order write it: `.name`, `["any text"]`, `[0]`,
// `json:P|Q`. Parsed when the app loads, followed for every message.

public struct FieldPath: Sendable, Equatable {
    enum Step: Sendable, Equatable {
        /// Names joined by dots. Any run of them may be one key; `ends` says where each name ends in `text`.
        case names(text: [UInt8], ends: [Int])
        /// A key as it is.
        case key([UInt8])
        case index(Int)
    }

    /// As it was written.
    public let text: String
    let steps: [Step]
    /// For `json:P|Q`: the steps inside the JSON text that `steps` lead to.
    let innerSteps: [Step]?

    /// Reads a path as people write it. Throws a sentence that says what is wrong with it.
    public init(parsing text: String) throws(FieldPathFault) {
        self.text = text
        guard text.hasPrefix("json:") else {
            steps = try FieldPath.parse(text[...])
            innerSteps = nil
            return
        }
        let rest = text.dropFirst("json:".count)
        guard let bar = FieldPath.bar(in: rest) else {
            steps = try FieldPath.parse(rest)
            innerSteps = []
            return
        }
        steps = try FieldPath.parse(rest[..<bar])
        innerSteps = try FieldPath.parse(rest[rest.index(after: bar)...])
    }

    /// The first `|` that is not inside a quoted key.
    private static func bar(in text: Substring) -> Substring.Index? {
        var isQuoted = false
        var isEscaped = false
        for place in text.indices {
            let character = text[place]
            if isEscaped {
                isEscaped = false
            } else if isQuoted {
                if character == "\\" { isEscaped = true }
                if character == "\"" { isQuoted = false }
            } else if character == "\"" {
                isQuoted = true
            } else if character == "|" {
                return place
            }
        }
        return nil
    }
}

public struct FieldPathFault: Error, Sendable, Equatable {
    public let message: String
}

extension FieldPath {
    /// Names in one path: enough for any message, few enough that trying all ways to join them stays cheap.
    private static let maxNames = 16

    private static func parse(_ text: Substring) throws(FieldPathFault) -> [Step] {
        var rest = Array(text.utf8)[...]
        guard !rest.isEmpty else { throw FieldPathFault(message: "the path is empty") }
        var steps: [Step] = []
        var names: [UInt8] = []
        var ends: [Int] = []
        func flush() {
            if !ends.isEmpty { steps.append(.names(text: names, ends: ends)) }
            names = []
            ends = []
        }
        var nameMayBegin = true
        while let byte = rest.first {
            if byte == UInt8(ascii: "[") {
                flush()
                rest.removeFirst()
                steps.append(try bracket(&rest))
                nameMayBegin = false
                continue
            }
            if byte == UInt8(ascii: ".") {
                guard !nameMayBegin else { throw FieldPathFault(message: "a name is missing before a dot") }
                rest.removeFirst()
                nameMayBegin = true
                guard let next = rest.first, next != UInt8(ascii: ".") else {
                    throw FieldPathFault(message: "a name is missing after a dot")
                }
                continue
            }
            guard nameMayBegin else { throw FieldPathFault(message: "a dot is missing before a name") }
            let end = rest.firstIndex { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "[") } ?? rest.endIndex
            if !ends.isEmpty { names.append(UInt8(ascii: ".")) }
            names += rest[rest.startIndex..<end]
            ends.append(names.count)
            guard ends.count <= maxNames else { throw FieldPathFault(message: "more than \(maxNames) names in a path") }
            rest = rest[end...]
            nameMayBegin = false
        }
        flush()
        return steps
    }

    /// What stands in brackets, the opening one already read.
    private static func bracket(_ rest: inout ArraySlice<UInt8>) throws(FieldPathFault) -> Step {
        if rest.first == UInt8(ascii: "\"") {
            rest.removeFirst()
            var key: [UInt8] = []
            while let byte = rest.popFirst() {
                if byte == UInt8(ascii: "\\") {
                    guard let next = rest.popFirst() else { break }
                    key.append(next)
                } else if byte == UInt8(ascii: "\"") {
                    guard rest.popFirst() == UInt8(ascii: "]") else {
                        throw FieldPathFault(message: "`]` is missing after a quoted key")
                    }
                    return .key(key)
                } else {
                    key.append(byte)
                }
            }
            throw FieldPathFault(message: "a quoted key does not end")
        }
        var index = 0
        var digits = 0
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "]"), digits > 0 { return .index(index) }
            guard byte >= 48, byte <= 57, digits < 9 else { break }
            index = index * 10 + Int(byte - 48)
            digits += 1
        }
        throw FieldPathFault(message: "brackets hold a number or a quoted key: [0] or [\"any text\"]")
    }
}
