// An app's files, sorted by what they are for: manifest, rule scripts, modules. Pure; made by RulesetLoader.
import LuaSandbox

struct AppSources {
    struct Module {
        /// As `require` names it: "lib.room", "shared.text".
        let name: String
        let file: SourceFile
    }

    let manifest: SourceFile?
    /// By file name.
    let scripts: [SourceFile]
    let modules: [Module]

    init(_ files: [SourceFile]) {
        let sorted = files.sorted { $0.path < $1.path }
        manifest = sorted.first { $0.path == "app.lua" }
        scripts = sorted.filter { $0.path.hasSuffix(".lua") && !$0.path.contains("/") && $0.path != "app.lua" }
        modules = sorted.compactMap { file in
            AppSources.moduleName(of: file.path).map { Module(name: $0, file: file) }
        }
    }

    private static func moduleName(of path: String) -> String? {
        guard path.hasSuffix(".lua") else { return nil }
        let stem = path.dropLast(4)
        if stem.hasPrefix("lib/") { return "lib." + dotted(stem.dropFirst(4)) }
        if stem.hasPrefix("_shared/lib/") { return "shared." + dotted(stem.dropFirst(12)) }
        return nil
    }

    private static func dotted(_ path: Substring) -> String {
        path.split(separator: "/").joined(separator: ".")
    }

    /// The file that a fault names.
    func file(_ path: String) -> SourceFile? {
        if manifest?.path == path { return manifest }
        return scripts.first { $0.path == path } ?? modules.first { $0.file.path == path }?.file
    }

    /// Modules of the app itself that no file names: they are run once so that their faults are found.
    var unusedModules: [SourceFile] {
        let named = namedModules
        return modules.filter { $0.name.hasPrefix("lib.") && !named.contains($0.name) }.map(\.file)
    }

    /// All files that can change a decision: everything of the app, and the shared modules that are named in it.
    var used: [SourceFile] {
        let named = namedModules
        let modules = modules.filter { $0.name.hasPrefix("lib.") || named.contains($0.name) }.map(\.file)
        return ((manifest.map { [$0] } ?? []) + scripts + modules).sorted { $0.path < $1.path }
    }

    /// The modules that a text in the app's files names, or in a module so named. A name that is put together from
    /// pieces cannot be seen; then all modules of its kind count.
    private var namedModules: Set<String> {
        var named: Set<String> = []
        var queue = (manifest.map { [$0] } ?? []) + scripts + modules.filter { $0.name.hasPrefix("lib.") }.map(\.file)
        while let file = queue.popLast() {
            for token in LuaTokens(file.bytes).tokens where token.kind == .string {
                let isPiece = token.text == "shared." || token.text == "lib." || token.text.hasSuffix(".")
                for module in modules where !named.contains(module.name) {
                    guard module.name == token.text || (isPiece && module.name.hasPrefix(token.text)) else { continue }
                    named.insert(module.name)
                    queue.append(module.file)
                }
            }
        }
        return named
    }

    /// What can be said before any script runs.
    func faults(within limits: LoadLimits) -> [RuleFault] {
        var faults: [RuleFault] = []
        if manifest == nil {
            faults.append(
                RuleFault(
                    code: .manifestMissing, file: "app.lua", message: "the app has no app.lua",
                    hint: "add the file app.lua with: return { api = 1 }"))
        }
        let all = (manifest.map { [$0] } ?? []) + scripts + modules.map(\.file)
        if all.count > limits.files {
            faults.append(
                RuleFault(
                    code: .tooManyFiles, file: "app.lua",
                    message: "the app has \(all.count) Lua files, more than the \(limits.files) that are allowed"))
        }
        let bytes = all.reduce(0) { $0 + $1.bytes.count }
        if bytes > limits.bytes {
            faults.append(
                RuleFault(
                    code: .appTooLarge, file: "app.lua",
                    message: "the app's Lua files have \(bytes) bytes together, more than the \(limits.bytes) that are allowed"))
        }
        for file in all where file.bytes.count > limits.script.source {
            faults.append(
                RuleFault(
                    code: .fileTooLarge, file: file.path,
                    message: "the file has \(file.bytes.count) bytes, more than the \(limits.script.source) that are allowed",
                    hint: "split it into several files"))
        }
        return faults
    }
}
