// JSON Schemas (2020-12) of what people write as JSON, and of decisions, for editors and for whoever checks. A schema
// takes whatever rulehost takes without a fault and without a warning about a key; it may take more.
import JSONDocument

public enum JSONSchema {
    public enum Kind: String, Sendable, CaseIterable {
        /// A file of cases.
        case aCase = "case"
        case device
        /// One line.
        case traffic
        case decision
        /// A state file.
        case state

        var table: Table {
            switch self {
            case .aCase: Reference.aCase
            case .device: DeviceTable.table
            case .traffic: Reference.traffic
            case .decision: Reference.decision
            case .state: Reference.stateFile
            }
        }
    }

    /// Compact JSON text.
    public static func bytes(of kind: Kind) -> [UInt8] {
        var writer = SchemaWriter(names: .definitions)
        return writer.schema(of: kind)
    }

    /// Some of them as schemas that stand side by side, for a document that has others too: each table is one, and they refer to each other
    /// by `#/components/schemas/NAME`. Programs that make code from such a document take one name after that, and no way into a schema.
    /// - Parameter inner: tables of what people write that none of the kinds holds, such as `event.changed`.
    public static func components(of kinds: [Kind], inner: [String] = []) -> [(name: String, schema: [UInt8])] {
        var writer = SchemaWriter(names: .components)
        for kind in kinds { writer.wait(for: kind.table, kind.use) }
        for name in inner {
            let outer = name.prefix { $0 != "." }
            for table in Reference.table(named: String(outer))?.withInner ?? [] where table.name == name { writer.wait(for: table, .input) }
        }
        return writer.components()
    }
}

extension JSONSchema.Kind {
    fileprivate var use: SchemaWriter.Use { self == .decision ? .output : .input }
}

private struct SchemaWriter: ~Copyable {
    /// How a table is read.
    enum Use: String {
        /// Written by people: null is as absent.
        case input = ""
        /// Written by rulehost.
        case output = "."
        /// A part of what must come out: null says that a key must not be there.
        case part = ".part"
    }

    /// What a table is called, and how it is referred to.
    enum Names {
        /// `event.changed`, among the definitions of one schema.
        case definitions
        /// `EventChanged`, among the schemas of a document.
        case components
    }

    private let names: Names
    private var json = JSONWriter(reserving: 8192)

    init(names: Names) { self.names = names }

    /// Tables that are referred to and not yet written, and all that were.
    private var waiting: [(table: Table, use: Use)] = []
    private var known: Set<String> = []

    mutating func schema(of kind: JSONSchema.Kind) -> [UInt8] {
        json.beginObject()
        text("$schema", "https://json-schema.org/draft/2020-12/schema")
        text("title", kind == .aCase ? "Cases of an app" : kind.table.name)
        text("description", kind == .aCase ? "A list of cases: examples with the answer that must come out" : sentence(kind.table.summary))
        let use = kind.use
        if kind == .aCase {
            text("type", "array")
            json.key("items")
            json.beginObject()
            reference(kind.table, use)
            json.endObject()
        } else {
            reference(kind.table, use)
        }
        json.key("$defs")
        json.beginObject()
        while !waiting.isEmpty {
            let (table, use) = waiting.removeFirst()
            json.key(name(table, use))
            write(table, use)
        }
        json.endObject()
        json.endObject()
        return json.bytes
    }

    /// What was waited for and all that it refers to, in the order in which it was met.
    mutating func components() -> [(name: String, schema: [UInt8])] {
        var written: [(name: String, schema: [UInt8])] = []
        while !waiting.isEmpty {
            let (table, use) = waiting.removeFirst()
            json = JSONWriter(reserving: 2048)
            write(table, use)
            written.append((name(table, use), json.bytes))
        }
        return written
    }

    // MARK: tables

    mutating func wait(for table: Table, _ use: Use) {
        if known.insert(table.name + use.rawValue).inserted { waiting.append((table, use)) }
    }

    private func name(_ table: Table, _ use: Use) -> String {
        let name = use == .part ? table.name + use.rawValue : table.name
        switch names {
        case .definitions: return name
        case .components:
            let words = name.split { ".-_".contains($0) }.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
            // A part of an answer that people may write, too, where null is as absent.
            return use == .input && table.name.hasPrefix(JSONSchema.Kind.decision.rawValue) ? words + "Input" : words
        }
    }

    private mutating func reference(_ table: Table, _ use: Use) {
        wait(for: table, use)
        let place =
            switch names {
            case .definitions: "#/$defs/"
            case .components: "#/components/schemas/"
            }
        text("$ref", place + name(table, use))
    }

    private mutating func write(_ table: Table, _ use: Use) {
        json.beginObject()
        text("description", sentence(table.summary))
        text("type", "object")
        json.key("properties")
        json.beginObject()
        for key in table.keys {
            json.key(key.name)
            write(key, of: table, use)
        }
        json.endObject()
        let needed = table.keys.filter { isNeeded($0, in: table, use) }.map(\.name)
        if !needed.isEmpty { list("required", needed) }
        json.key("additionalProperties")
        if let others = table.others { write(others, use) } else { json.bool(false) }
        json.endObject()
    }

    private func isNeeded(_ key: Key, in table: Table, _ use: Use) -> Bool {
        switch (use, key.presence) {
        case (.part, _): false
        case (_, .needed): true
        // Of a phone everything may be left out; of an event's details what functions always find must be given.
        case (.input, .always): table.name.hasPrefix("event") || table.name.hasPrefix("decision")
        case (.output, .always): true
        case (_, .optional), (_, .sometimes): false
        }
    }

    private mutating func write(_ key: Key, of table: Table, _ use: Use) {
        json.beginObject()
        text("description", sentence(([key.summary] + key.details).joined(separator: ". ")))
        // What a case expects is a part of the answer and of what is remembered.
        let inner = table.name.hasPrefix("case") && key.name.hasPrefix("expect") ? Use.part : use
        let mayBeNull = inner == .part || use == .input && !isNeeded(key, in: table, use)
        members(of: mayBeNull ? key.type.orNothing : key.type, inner)
        json.endObject()
    }

    // MARK: types

    private mutating func write(_ type: ValueType, _ use: Use) {
        json.beginObject()
        members(of: type, use)
        json.endObject()
    }

    /// The members of a schema's object.
    private mutating func members(of type: ValueType, _ use: Use) {
        switch type {
        case .text: text("type", "string")
        case .form(let form):
            text("type", "string")
            if let pattern = form.pattern { text("pattern", pattern) }
        case .words(let words): list("enum", words)
        case .integer(let range):
            text("type", "integer")
            if let range {
                json.key("minimum")
                json.integer(range.lowerBound)
                if range.upperBound != Int.max {
                    json.key("maximum")
                    json.integer(range.upperBound)
                }
            }
        case .number(let range):
            text("type", "number")
            if let range {
                json.key("minimum")
                json.decimal(range.lowerBound)
                json.key("maximum")
                json.decimal(range.upperBound)
            }
        case .truth: text("type", "boolean")
        case .only(let truth):
            // Programs that make a client know types of values, and few know a value that is one.
            if names == .components { return text("type", "boolean") }
            json.key("const")
            json.bool(truth)
        case .anything, .function: break
        case .list(let element):
            text("type", "array")
            json.key("items")
            write(use == .part ? element.orNothing : element, use)
        case .map(let value, _):
            text("type", "object")
            json.key("additionalProperties")
            write(use == .part || use == .input ? value.orNothing : value, use)
        case .table(let table): reference(table, use)
        case .named(let name):
            if let table = Reference.table(named: name) { reference(table, use) }
        case .either(let types):
            json.key("anyOf")
            json.beginArray()
            for type in types { write(type, use) }
            json.endArray()
        case .nothing: text("type", "null")
        }
    }

    // MARK: texts

    private func sentence(_ words: String) -> String {
        words.prefix(1).uppercased() + words.dropFirst()
    }

    private mutating func text(_ key: StaticString, _ value: String) {
        json.key(key)
        json.string(value)
    }

    private mutating func list(_ key: StaticString, _ values: [String]) {
        json.key(key)
        json.beginArray()
        for value in values { json.string(value) }
        json.endArray()
    }
}
