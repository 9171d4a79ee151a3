// A key that stands twice in one table: Lua takes the last and says nothing of the others.

extension Check {
    static let keyTwice = Check("key_twice", .error) { app, findings in
        for found in app.expressions {
            guard case .table(let table) = found.expression else { continue }
            var lines: [String: Int] = [:]
            for item in table.items {
                guard let key = item.key?.text else { continue }
                if let line = lines[key] {
                    findings.tell(
                        found.file, at: item.offset, "`\(key)` stands in this table already, in line \(line), and only the last one counts",
                        hint: "leave one of them out", rule: found.rule?.name)
                }
                lines[key] = found.file.place(of: item.offset).line
            }
        }
    }
}
