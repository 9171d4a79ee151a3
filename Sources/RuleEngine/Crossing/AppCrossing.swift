// An app on its way to the process that runs its rules, and what that process says of it: faults, or what the asking side
// has to know without running a line of Lua itself.
import JSONDocument
import LuaSandbox
import PushMessage

/// An app's files and limits, as bytes.
public enum AppCrossing {
    public static func bytes(app: String, files: [SourceFile], limits: LoadLimits) -> [UInt8] {
        var writer = CrossingWriter(reserving: files.reduce(1024) { $0 + $1.bytes.count + 128 })
        writer.text(app)
        writer.list(files) {
            $0.text($1.path)
            $0.raw($1.bytes)
        }
        writer.write(limits)
        return writer.bytes
    }

    public static func read(
        _ bytes: UnsafeRawBufferPointer
    ) throws(CrossingFault) -> (app: String, files: [SourceFile], limits: LoadLimits) {
        var reader = CrossingReader(bytes)
        let app = try reader.text()
        let files = try reader.list(ofAtLeast: 8) { (reader) throws(CrossingFault) in
            SourceFile(path: try reader.text(), bytes: try reader.raw(atMost: Int(Int32.max)))
        }
        let limits = try reader.limits()
        try reader.finish()
        return (app, files, limits)
    }

    /// The name of the ruleset that the files make.
    public static func hash(of files: [SourceFile]) -> String { RulesetHash.short(of: AppSources(files).used) }

    // MARK: what came of the load

    /// For an app that was loaded with its manifest kept (`RulesetLoader.load(keepingManifest:)`).
    public static func outline(of app: LoadedApp) -> [UInt8] {
        var writer = CrossingWriter(reserving: 2048)
        writer.raw(app.manifest)
        writer.list(app.ruleset.rules) {
            $0.text($1.name)
            $0.text($1.file)
            $0.number($1.line)
        }
        writer.list(app.warnings) {
            $0.word($1.code)
            $0.text($1.file)
            $0.number($1.line)
            $0.number($1.column)
            $0.text($1.message)
            $0.text($1.hint)
        }
        return writer.bytes
    }

    /// The ruleset as it looks from outside: its manifest, and of its rules only what they are called and where they
    /// stand; and what is probably not meant in it. Name, files and hash are what the asking side knows itself.
    public static func outline(
        _ bytes: UnsafeRawBufferPointer, app: String, files: [SourceFile], limits: LoadLimits
    ) throws(CrossingFault) -> (ruleset: Ruleset, warnings: [RuleWarning]) {
        var reader = CrossingReader(bytes)
        let sources = AppSources(files)
        let manifest = try manifest(try reader.json(), source: sources.manifest?.bytes ?? [])
        let rules = try reader.list(ofAtLeast: 16) { (reader) throws(CrossingFault) in
            Rule(
                outline: try reader.text(), file: try reader.text(), line: try reader.number(in: 0...Int(Int32.max)))
        }
        guard rules.count <= limits.rules else { throw CrossingFault("no more rules than are allowed") }
        let places = 0...Int(Int32.max)
        let warnings = try reader.list(ofAtLeast: 26) { (reader) throws(CrossingFault) in
            RuleWarning(
                code: try reader.word(), file: try reader.text(), line: try reader.number(in: places),
                column: try reader.number(in: places),
                message: try reader.text(), hint: try reader.optionalText())
        }
        try reader.finish()
        let used = sources.used
        let ruleset = Ruleset(
            app: app, hash: RulesetHash.short(of: used), files: used, manifest: manifest, rules: rules, rulesByEvent: [:],
            strings: .none)
        return (ruleset, warnings)
    }

    /// Read by the same reader that reads it from Lua: what that refuses was no manifest that could be loaded.
    private static func manifest(_ json: [UInt8], source: [UInt8]) throws(CrossingFault) -> Manifest {
        let document = JSONDocument()
        do throws(JSONFault) {
            try document.read(json, limit: json.count, depth: 128)
        } catch {
            throw CrossingFault("JSON")
        }
        let (manifest, faults) = ManifestReader.read(document.root, in: SourceText(source))
        guard faults.isEmpty else { throw CrossingFault("a manifest without faults") }
        return manifest
    }

    public static func bytes(of faults: [RuleFault]) -> [UInt8] {
        var writer = CrossingWriter()
        writer.list(faults) {
            $0.word($1.code)
            $0.text($1.file)
            $0.number($1.line)
            $0.number($1.column)
            $0.text($1.message)
            $0.text($1.hint)
        }
        return writer.bytes
    }

    /// At least one.
    public static func faults(_ bytes: UnsafeRawBufferPointer) throws(CrossingFault) -> [RuleFault] {
        var reader = CrossingReader(bytes)
        let places = 0...Int(Int32.max)
        let faults = try reader.list(ofAtLeast: 29) { (reader) throws(CrossingFault) in
            RuleFault(
                code: try reader.word(), file: try reader.text(), line: try reader.number(in: places),
                column: try reader.number(in: places), message: try reader.text(), hint: try reader.optionalText())
        }
        try reader.finish()
        guard !faults.isEmpty else { throw CrossingFault("a fault") }
        return faults
    }
}

extension Rule {
    /// What is known of a rule that is run elsewhere. It names no event, so that nobody runs it here.
    fileprivate init(outline name: String, file: String, line: Int) {
        self.init(
            name: name, file: file, line: line, events: [], matchers: [], priority: 0, isFinal: false, overrides: false,
            isEnabled: true, note: nil, starts: nil, expires: nil, quiet: nil, rollout: nil, holdout: nil, cap: nil,
            when: nil, decide: nil)
    }
}

extension CrossingWriter {
    fileprivate mutating func write(_ limits: LoadLimits) {
        for field in LoadLimits.numbers { number(limits[keyPath: field]) }
        number(limits.script.loadFuel)
        number(limits.script.callFuel)
    }
}

extension CrossingReader {
    fileprivate mutating func limits() throws(CrossingFault) -> LoadLimits {
        var limits = LoadLimits()
        for field in LoadLimits.numbers { limits[keyPath: field] = try number(in: 0...Int.max) }
        limits.script.loadFuel = try number()
        limits.script.callFuel = try number()
        return limits
    }
}

extension LoadLimits {
    fileprivate static var numbers: [WritableKeyPath<LoadLimits, Int>] {
        [
            \.files, \.bytes, \.rules, \.script.memory, \.script.block, \.script.string, \.script.source,
            \.script.loadMilliseconds, \.script.callMilliseconds, \.script.valueBytes, \.script.valueNodes,
            \.script.valueDepth, \.script.definitionBytes, \.script.definitionNodes, \.script.definitionDepth,
            \.script.rules, \.script.caughtErrors,
        ]
    }
}
