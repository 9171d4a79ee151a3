// Files of the shared folder count for no app: which of their functions one app needs says nothing about its cases. What all apps
// have tried of them together does.

extension [AppCoverage] {
    /// The shared files that the apps use, each once, with the runs of all of them.
    public var shared: [FileCoverage] {
        var files: [FileCoverage] = []
        for file in flatMap(\.files) where file.isShared {
            if let known = files.firstIndex(where: { $0.path == file.path }) {
                files[known] = files[known].adding(file)
            } else {
                files.append(file)
            }
        }
        return files.sorted { $0.path < $1.path }
    }
}

extension FileCoverage {
    fileprivate func adding(_ other: FileCoverage) -> FileCoverage {
        guard lines.count == other.lines.count else { return self }
        let both = zip(lines, other.lines).map { a, b in
            switch (a.kind, b.kind) {
            case (.counted(let one), .counted(let two)): LineCoverage(number: a.number, text: a.text, kind: .counted(one + two))
            case (.load, .counted): b
            default: a
            }
        }
        return FileCoverage(path: path, lines: both, rules: rules)
    }
}
