// One Lua file of an app as the checks see it: its bytes, its tree, and the rules that are written in it.
import RuleEngine

final class CheckedFile {
    /// What functions of rules are given, in order.
    static let viewNames = ["msg", "device", "event"]

    enum Kind { case manifest, rules, module, strings, shared }

    let path: String
    let bytes: [UInt8]
    let kind: Kind
    /// Empty when the file is not Lua.
    let body: [LuaStatement]
    let isRead: Bool
    /// Where each line begins.
    private let lineStarts: [Int]
    /// In the order in which they are written.
    private(set) var ruleCalls: [RuleCall] = []
    /// Everything in it.
    let contents: LuaContents
    private(set) lazy var spans = RuleSpans(ruleCalls)
    private(set) lazy var callsByLine = Dictionary(grouping: ruleCalls, by: \.line)
    private(set) lazy var callsByName = Dictionary(ruleCalls.compactMap { call in call.name.map { ($0, call) } }) { first, _ in first }
    /// `defer` or "defer" stands somewhere in it.
    private(set) lazy var namesDefer = contents.expressions.contains { expression in
        switch expression {
        case .global("defer", _), .text("defer", _): true
        default: false
        }
    }

    /// `rule "name" { … }`
    struct RuleCall {
        /// nil: it is not written out.
        let name: String?
        let offset: Int
        let line: Int
        let table: LuaTable
    }

    init(_ file: SourceFile) {
        path = file.path
        bytes = file.bytes
        kind =
            file.path == "app.lua"
            ? .manifest
            : file.path.hasPrefix("_shared/")
                ? .shared : file.path.hasPrefix("lib/strings/") ? .strings : file.path.contains("/") ? .module : .rules
        let tree = LuaParser.parse(file.bytes)
        body = tree ?? []
        isRead = tree != nil
        contents = LuaContents(of: body)
        lineStarts = [0] + file.bytes.indices.filter { file.bytes[$0] == UInt8(ascii: "\n") }.map { $0 + 1 }
        if kind == .rules { ruleCalls = findRules() }
        for call in ruleCalls { nameViews(of: call) }
    }

    /// Line and column, both from 1.
    func place(of offset: Int) -> (line: Int, column: Int) {
        var low = 0
        var high = lineStarts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if lineStarts[middle] <= offset { low = middle } else { high = middle }
        }
        let end = min(max(offset, lineStarts[low]), bytes.count)
        return (low + 1, scalars(before: end) - scalars(before: lineStarts[low]) + 1)
    }

    /// A file may be one line with thousands of findings: counting begins at the last mark.
    private func scalars(before offset: Int) -> Int {
        let mark = offset / CheckedFile.markEvery
        let rest = bytes[mark * CheckedFile.markEvery..<offset]
        placeSteps += rest.count
        return marks[mark] + rest.count { $0 & 0xC0 != 0x80 }
    }

    private static let markEvery = 128
    /// How many scalars begin before each so many bytes.
    private lazy var marks: [Int] = {
        var marks: [Int] = []
        var count = 0
        for (place, byte) in bytes.enumerated() {
            if place % CheckedFile.markEvery == 0 { marks.append(count) }
            if byte & 0xC0 != 0x80 { count += 1 }
        }
        return bytes.count % CheckedFile.markEvery == 0 ? marks + [count] : marks
    }()
    /// Bytes that were counted to find columns, for tests.
    private(set) var placeSteps = 0

    /// What the file returns at its end, when that is a table that is written out.
    var returned: LuaTable? {
        guard case .give(let values, _)? = body.last, values.count == 1 else { return nil }
        return values[0].followed.table
    }

    private func findRules() -> [RuleCall] {
        contents.expressions.compactMap { expression in
            guard case .call(let callee, let arguments, _) = expression else { return nil }
            let name: LuaExpression?
            let keys: LuaExpression?
            if case .global("rule", _) = callee, arguments.count == 2 {
                (name, keys) = (arguments[0], arguments[1])
            } else if case .call(.global("rule", _), let names, _) = callee, names.count == 1, arguments.count == 1 {
                (name, keys) = (names[0], arguments[0])
            } else {
                return nil
            }
            guard let table = keys?.followed.table else { return nil }
            return RuleCall(name: name?.followed.text, offset: expression.start, line: place(of: expression.start).line, table: table)
        }
    }

    /// The parameters of a rule's functions are the views, whatever they are called.
    private func nameViews(of call: RuleCall) {
        let functions = [
            call.table.item("when")?.value, call.table.item("decide")?.value, call.table.item("cap")?.value.table?.item("key")?.value,
        ]
        for function in functions.compactMap({ $0?.functionValue }) {
            for (parameter, view) in zip(function.parameters, CheckedFile.viewNames) { parameter.view = view }
        }
    }
}
