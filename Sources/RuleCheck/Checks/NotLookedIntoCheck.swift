// A file that loads, and that our parser does not read.

extension Check {
    /// What loads and cannot be looked into is said: silence would mean that nothing is wrong.
    static let notLookedInto = Check("not_looked_into", .warning) { app, findings in
        guard app.loaded != nil else { return }
        for file in app.files where !file.isRead {
            findings.tell(
                file.path, 1, 1, "an expression of this file is too long to be looked into: nothing was looked for in its functions",
                hint: "write it in parts, or put what it adds up into a table")
        }
    }
}
