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
    /// Names of modules that a file names.
    private let named: Set<String>

    init(_ files: [SourceFile]) {
        let sorted = files.sorted { $0.path < $1.path }
        manifest = sorted.first { $0.path == "app.lua" }
        scripts = sorted.filter { $0.path.hasSuffix(".lua") && !$0.path.contains("/") && $0.path != "app.lua" }
        modules = sorted.compactMap { file in
            AppSources.moduleName(of: file.path).map { Module(name: $0, file: file) }
        }
        named = AppSources.named(in: (manifest.map { [$0] } ?? []) + scripts, of: modules)
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
        modules.filter { $0.name.hasPrefix("lib.") && !named.contains($0.name) && !AppSources.isStrings($0.file) }.map(\.file)
    }

    /// Those that the app can require. Of shared ones only what its files name: a fault in another one is none of this app.
    var usedModules: [Module] { modules.filter { $0.name.hasPrefix("lib.") || named.contains($0.name) } }

    /// Texts by language, read at load: lib/strings/<locale>.lua.
    var strings: [SourceFile] { modules.map(\.file).filter(AppSources.isStrings) }

    private static func isStrings(_ file: SourceFile) -> Bool { file.path.hasPrefix(StringsReader.folder) }

    /// All files that can change a decision: everything of the app, and the shared modules that are named in it.
    var used: [SourceFile] {
        ((manifest.map { [$0] } ?? []) + scripts + usedModules.map(\.file)).sorted { $0.path < $1.path }
    }

    /// The modules that the app's files name, or modules so named. A name that is put together from pieces cannot be
    /// seen; a text that ends behind the dot lets all modules of its kind count.
    private static func named(in files: [SourceFile], of modules: [Module]) -> Set<String> {
        guard !modules.isEmpty else { return [] }
        var named: Set<String> = []
        var queue = files + modules.filter { $0.name.hasPrefix("lib.") }.map(\.file)
        while let file = queue.popLast() {
            let pieces = ["lib.", "shared."].filter {
                file.bytes.occurrences(of: $0 + "\"") + file.bytes.occurrences(of: $0 + "'") > 0
            }
            for module in modules where !named.contains(module.name) {
                guard pieces.contains(where: module.name.hasPrefix) || file.bytes.occurrences(of: module.name) > 0 else { continue }
                named.insert(module.name)
                queue.append(module.file)
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

extension [UInt8] {
    /// How often a text of ASCII characters stands in the bytes; overlapping ones count once.
    func occurrences(of text: String) -> Int {
        let wanted = Array(text.utf8)
        guard let first = wanted.first, wanted.count <= count else { return 0 }
        var found = 0
        var place = 0
        while place <= count - wanted.count {
            guard let next = self[place...].firstIndex(of: first), next <= count - wanted.count else { break }
            if self[next..<(next + wanted.count)].elementsEqual(wanted) {
                found += 1
                place = next + wanted.count
            } else {
                place = next + 1
            }
        }
        return found
    }
}
