// The language for editors: annotations of the Lua language server (LuaLS) and settings for it and for luacheck. Written
// to files by `rulehost docs editor` and `rulehost new`; nothing in here is ever loaded by rulehost.
import RuleEngine
import RuleStore

public struct EditorFile: Sendable {
    /// Relative to the folder that the editor opens.
    public let path: String
    public let text: String
    /// Nobody but rulehost writes it: it may be replaced. Settings that people change may not.
    public let isGenerated: Bool
}

public enum EditorFiles {
    /// The folder of generated files; no app has a name like this.
    public static let folder = ".rulehost"

    public static let all: [EditorFile] = {
        let schemas = JSONSchema.Kind.allCases.map { kind in
            EditorFile(path: "\(folder)/\(kind.rawValue).schema.json", text: text(of: JSONSchema.bytes(of: kind)), isGenerated: true)
        }
        return [
            EditorFile(path: "\(folder)/rulehost.lua", text: Annotations.text, isGenerated: true),
            EditorFile(path: ".luarc.json", text: text(of: EditorSettings.languageServer), isGenerated: false),
            EditorFile(path: ".luacheckrc", text: EditorSettings.luacheck, isGenerated: false),
        ] + schemas
    }()

    /// Laid out for reading.
    private static func text(of json: [UInt8]) -> String { String(decoding: JSONLayout.document(json), as: UTF8.self) }
}

public enum Annotations {
    /// A file that the language server reads and nobody runs.
    public static let text: String = {
        var page = AnnotationPage()
        page.line("---@meta")
        page.line("-- The rule language of rulehost, for editors. Written by `rulehost docs editor`; changes are lost.")
        for table in [Reference.app, Reference.rule, Reference.decide, SmallTables.show] + Reference.views {
            for inner in table.withInner { page.add(inner) }
        }
        for function in Reference.functions where !function.name.contains(":") { page.addTables(of: function) }
        page.addLibraries()
        for function in Reference.functions where !function.isLua && !function.name.contains(":") { page.add(function) }
        return page.text
    }()
}

extension Function {
    /// Lua's own, which the language server knows already.
    public var isLua: Bool {
        OwnFunctions.basic.contains { $0.name == name } || ["string.", "table.", "math.", "utf8."].contains { name.hasPrefix($0) }
            || name == "require"
    }
}

private struct AnnotationPage {
    private(set) var text = ""
    private var written: Set<String> = []

    mutating func line(_ line: String) { text += line + "\n" }

    // MARK: tables

    mutating func add(_ table: Table) {
        guard written.insert(table.name).inserted else { return }
        line("")
        comment(table.summary)
        line("---@class \(AnnotationPage.name(of: table.name))")
        for key in table.keys {
            // What may also stand without its name may lack it.
            let mayBeNil = key.presence != .needed && key.presence != .always || key.place != nil
            let type = AnnotationPage.type(key.type, isField: true)
            line("---@field \(key.name)\(mayBeNil ? "?" : "") \(type) \(sentence(key))")
            if let place = key.place { line("---@field [\(place)]? \(type) \(sentence(key))") }
        }
        if table.name == "device" {
            for method in HostFunctions.methods {
                line("---@field \(method.name.split(separator: ":")[1]) \(method.asType(of: "device")) \(method.summary)")
            }
        }
        if let others = table.others {
            line("---@field [\(table.name == "show" ? "integer" : "string")] \(AnnotationPage.type(others, isField: true))")
        }
    }

    mutating func addTables(of function: Function) {
        let types: [ValueType] =
            switch function.use {
            case .call(let parameters, let gives): parameters.map(\.type) + gives
            case .value(let type): [type]
            }
        for type in types { type.forEachTable { for table in $0.withInner { add(table) } } }
    }

    private func sentence(_ key: Key) -> String {
        var words = key.summary
        if case .optional(let otherwise?) = key.presence { words += " (without it: \(otherwise))" }
        if let events = key.events { words += " (at \(events.map(\.rawValue).joined(separator: ", ")))" }
        return words
    }

    // MARK: functions

    /// The tables that functions stand in.
    mutating func addLibraries() {
        for name in ["state", "state.app", "settings", "text", "time", "json"] {
            line("")
            line("\(name) = {}")
        }
    }

    mutating func add(_ function: Function) {
        line("")
        comment(function.summary)
        for detail in function.details { comment(detail) }
        switch function.use {
        case .value(let type):
            line("---@type \(AnnotationPage.type(type))")
            line("\(function.name) = nil")
        case .call(let parameters, let gives):
            for parameter in parameters {
                let name = parameter.repeats ? "..." : AnnotationPage.parameterName(parameter.name)
                let mark = parameter.isOptional && !parameter.repeats ? "?" : ""
                line("---@param \(name)\(mark) \(AnnotationPage.type(parameter.type)) \(parameter.meaning ?? "")".withoutTrailingSpaces)
            }
            for type in gives {
                if case .nothing = type { continue }
                line("---@return \(AnnotationPage.type(type))")
            }
            if function.name == "rule" {
                line("---@overload fun(name: string): fun(keys: \(AnnotationPage.name(of: "rule")))")
            }
            let names = parameters.map { $0.repeats ? "..." : AnnotationPage.parameterName($0.name) }
            line("function \(function.name)(\(names.joined(separator: ", "))) end")
        }
    }

    private mutating func comment(_ words: String) { line("---\(words)") }

    // MARK: names

    /// "rulehost.rule.quiet"
    static func name(of table: String) -> String { "rulehost.\(table.replacing("-", with: "_"))" }

    private static func parameterName(_ name: String) -> String {
        name == "from" || name == "to" || name.allSatisfy(\.isLetter) ? name : name.replacing(" ", with: "_")
    }

    static func type(_ type: ValueType, isField: Bool = false) -> String {
        switch type {
        case .text, .form: "string"
        case .words(let words): words.map { "\"\($0)\"" }.joined(separator: "|")
        case .integer: "integer"
        case .number: "number"
        case .truth: "boolean"
        case .only(let truth): "\(truth)"
        case .anything: "any"
        case .function(let parameters, let result):
            "fun(" + parameters.map { "\($0.name): \(AnnotationPage.type($0.type))" }.joined(separator: ", ")
                + "): \(AnnotationPage.type(result))"
        case .list(let element):
            switch element {
            case .words, .either, .function: "(\(AnnotationPage.type(element)))[]"
            default: "\(AnnotationPage.type(element))[]"
            }
        case .map(let value, _): "table<string, \(AnnotationPage.type(value))>"
        case .table(let table): name(of: table.name)
        case .named(let name): AnnotationPage.name(of: name)
        case .either(let types): types.map { grouped($0) }.joined(separator: "|")
        case .nothing: "nil"
        }
    }

    private static func grouped(_ type: ValueType) -> String {
        if case .function = type { "(\(AnnotationPage.type(type)))" } else { AnnotationPage.type(type) }
    }
}

extension Function {
    /// A method as the type of a field.
    fileprivate func asType(of owner: String) -> String {
        guard case .call(let parameters, let gives) = use else { return "any" }
        let rest = parameters.map { "\($0.name)\($0.isOptional ? "?" : ""): \(AnnotationPage.type($0.type))" }
        return
            "fun(self: \(AnnotationPage.name(of: owner)), \(rest.joined(separator: ", "))): \(gives.map { AnnotationPage.type($0) }.joined(separator: ", "))"
    }
}

extension String {
    fileprivate var withoutTrailingSpaces: String {
        var text = self
        while text.hasSuffix(" ") { text.removeLast() }
        return text
    }
}
