// What a rule's `decide` gives, as far as it is written out: a table, `suppress "…"`, `show {…}`, `defer(…)`, `route …`, in a
// function's `return` or as the value of the key. Read by the checks of decisions.
import JSONDocument
import RuleEngine

struct ReturnedWish {
    struct Field {
        let value: LuaExpression
        let offset: Int
    }

    let file: CheckedFile
    let call: CheckedFile.RuleCall
    let offset: Int
    /// By the names of `decide`'s fields; what stands without a name is under its place: "1".
    let fields: [(name: String, field: Field)]
    /// It is a value that is no table at all, such as a text.
    let bare: LuaExpression?
    /// The value of the key itself, not what a function returns: the loader has read it.
    let isPlain: Bool

    static let makers: Set<String> = ["suppress", "show", "defer", "route"]

    /// nil: what it gives is not written out, or is nil.
    init?(_ expression: LuaExpression, isPlain: Bool, in file: CheckedFile, _ call: CheckedFile.RuleCall) {
        let value = expression.followed
        self.file = file
        self.call = call
        self.isPlain = isPlain
        offset = expression.start
        switch value {
        case .table(let table):
            fields = ReturnedWish.fields(of: table)
            bare = nil
        case .call:
            guard let name = value.calledName, ReturnedWish.makers.contains(name) else { return nil }
            fields = ReturnedWish.made(by: name, value.arguments, at: expression.start)
            bare = nil
        case .text, .number, .truth:
            fields = []
            bare = value
        default: return nil
        }
    }

    subscript(_ name: String) -> Field? { fields.last { $0.name == name }?.field }

    private static func fields(of table: LuaTable) -> [(name: String, field: Field)] {
        var place = 0
        return table.items.compactMap { item in
            guard let key = item.key else {
                place += 1
                return ("\(place)", Field(value: item.value, offset: item.offset))
            }
            return key.followed.text.map { ($0, Field(value: item.value, offset: item.offset)) }
        }
    }

    private static func made(by name: String, _ arguments: [LuaExpression], at offset: Int) -> [(name: String, field: Field)] {
        func field(_ name: String, _ argument: Int) -> [(name: String, field: Field)] {
            guard argument < arguments.count else { return [] }
            if case .nothing = arguments[argument].followed { return [] }
            return [(name, Field(value: arguments[argument], offset: arguments[argument].start))]
        }
        func display(_ word: String) -> [(name: String, field: Field)] {
            [("display", Field(value: .text(word, offset: offset), offset: offset))]
        }
        switch name {
        case "suppress": return display("suppress") + field("reason", 0)
        case "defer": return display("defer") + field("hold_until", 0) + field("reason", 1)
        case "route": return field("route", 0)
        default:
            guard let first = arguments.first else { return display("show") }
            guard let table = first.followed.table else {
                let one = LuaTable(offset: first.start)
                one.items = [LuaTable.Item(key: nil, value: first, offset: first.start)]
                return [("display", Field(value: .table(one), offset: first.start))]
            }
            guard !table.listed.isEmpty else { return display("show") + fields(of: table) }
            let options = LuaTable(offset: table.offset)
            options.items = table.listed
            return [("display", Field(value: .table(options), offset: table.offset))] + fields(of: table).filter { Int($0.name) == nil }
        }
    }

    // MARK: what it comes to

    /// The action, where it is written out.
    var action: Display.Action?? {
        guard let display = self["display"] else { return .some(nil) }
        switch display.value.followed {
        case .text("suppress", _): return .suppress
        case .text("defer", _): return .defer
        case .text("show", _), .table: return .show
        default: return nil
        }
    }

    /// The bits of its fields; nil when a name is none.
    var bits: ContributionFields? {
        var bits: ContributionFields = []
        for (name, _) in fields {
            guard let known = ContributionFields.named.first(where: { "\($0.name)" == name }) else { return nil }
            bits.formUnion(known.field)
        }
        return bits
    }

    /// A change of the badge that counts only when the message is shown.
    var relativeBadge: Field? {
        guard let badge = self["badge"] else { return nil }
        switch badge.value.followed {
        case .text(let text, _): return text.hasPrefix("+") || text.hasPrefix("-") ? badge : nil
        case .table(let table):
            if case .truth(true, _)? = table.item("even_if_suppressed")?.value.followed { return nil }
            return table.item("add") == nil ? nil : badge
        default: return nil
        }
    }

    /// A field's value as JSON; nil when it is not written out.
    func json(of name: String) -> [UInt8]? {
        guard let field = self[name] else { return nil }
        var writer = JSONWriter()
        return LiteralJSON.write(field.value, into: &writer) ? writer.bytes : nil
    }
}

extension CheckedApp {
    /// What the functions of rules return, as far as it is written out.
    var returnedWishes: [ReturnedWish] {
        files.flatMap { file in
            file.ruleCalls.flatMap { call in
                (call.table.item("decide")?.value.functionValue?.returns ?? []).compactMap { values, _ in
                    values.first.flatMap { ReturnedWish($0, isPlain: false, in: file, call) }
                }
            }
        }
    }
}

extension CheckedRule {
    /// What it wants where `decide` is no function.
    var writtenWish: ReturnedWish? {
        guard let call, rule.decide != nil, let value = call.table.item("decide")?.value else { return nil }
        return ReturnedWish(value, isPlain: true, in: file, call)
    }

    /// Everything that it may want; nil when that is not written out, or when its function does more than answer.
    var possibleWishes: [ReturnedWish]? {
        guard let function = decideFunction else { return writtenWish.map { [$0] } }
        guard let call, !function.hasEffects else { return nil }
        var wishes: [ReturnedWish] = []
        for (values, _) in function.returns {
            guard let value = values.first else { continue }
            if case .nothing = value.followed { continue }
            guard let wish = ReturnedWish(value, isPlain: false, in: file, call) else { return nil }
            wishes.append(wish)
        }
        return wishes
    }
}

extension LuaFunction {
    /// It writes something, or calls what may.
    var hasEffects: Bool {
        LuaContents(of: body).expressions.contains { expression in
            switch expression {
            case .call, .method:
                guard let name = expression.calledName else { return true }
                let root = name.prefix { $0 != "." && $0 != ":" }
                return ["state", "settings"].contains(root) && !name.hasSuffix(".get") && !name.hasSuffix(".has")
            default: return false
            }
        }
    }
}
