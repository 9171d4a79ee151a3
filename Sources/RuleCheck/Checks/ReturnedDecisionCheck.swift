// What a function returns is read by the same reader that reads it when a message waits, as far as it is written out:
// unknown fields, wrong types, words that nobody knows.
import JSONDocument
import RuleEngine

extension Check {
    static let returnedDecision = Check("returned_decision", .error, codes: ["unknown_key", "wrong_type", "bad_value"]) { app, findings in
        for wish in app.returnedWishes {
            var left = wish.fields.map(\.name)
            // The reader stops at the first fault; without that field it may find more.
            while let fault = read(wish, only: left) {
                let (file, name) = (wish.file, wish.call.name)
                findings.tell(
                    file, at: wish.offset(of: fault.path), fault.message, hint: fault.hint, code: code(of: fault), rule: name)
                guard case .key(let field)? = fault.path.first, left.contains(field) else { break }
                left.removeAll { $0 == field }
            }
        }
    }

    private static func read(_ wish: ReturnedWish, only names: [String]) -> ContributionFault? {
        var writer = JSONWriter()
        if let bare = wish.bare {
            guard LiteralJSON.write(bare, into: &writer) else { return nil }
        } else {
            writer.beginObject()
            for name in names {
                // Only the value may be unknown; its name is written.
                writer.key(name)
                writer.raw(wish.json(of: name) ?? Array("null".utf8))
            }
            writer.endObject()
        }
        let document = JSONDocument()
        do {
            try document.read(writer.bytes, limit: 1 << 20)
            guard let root = document.root else { return nil }
            return try withExtendedLifetime(document) {
                _ = try ContributionReader.read(root)
                return nil
            }
        } catch let fault as ContributionFault {
            return fault
        } catch {
            return nil
        }
    }

    private static func code(of fault: ContributionFault) -> String {
        switch fault.kind {
        case .unknownField: RuleFault.Code.unknownKey.rawValue
        case .wrongType: RuleFault.Code.wrongType.rawValue
        case .badValue: RuleFault.Code.badValue.rawValue
        }
    }
}

extension ReturnedWish {
    /// Where the last step of a path is written.
    fileprivate func offset(of path: [PathStep]) -> Int {
        guard case .key(let name)? = path.first, let field = self[name] else { return offset }
        var found = field.offset
        var table = field.value.followed.table
        for step in path.dropFirst() {
            let item: LuaTable.Item? =
                switch step {
                case .key(let key): table?.item(key)
                case .place(let place): table.flatMap { place <= $0.listed.count ? $0.listed[place - 1] : nil }
                }
            guard let item else { break }
            found = item.offset
            table = item.value.followed.table
        }
        return found
    }
}
