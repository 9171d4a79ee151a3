// A change of state that somebody wants, read from the words of the command line and checked before a store is opened or a host is asked.
// Made by StateSession; what becomes of it is RuleHosting's business.
import JSONDocument
import PushMessage
import RuleEngine
import RuleHosting
import RuleStore

enum ChangeWanted {
    static func wish(_ action: StateSession.Action, _ words: [String], recipient: String?) throws(CommandFault) -> StateWish {
        switch action {
        case .set: StateWish(.set(try key(words[0]), try value(words[1], of: words[0])), of: recipient)
        case .delete: StateWish(.delete(try key(words[0])), of: recipient)
        case .import: StateWish(.import(try file(words[0], recipient)), of: recipient)
        case .reset, .get, .export: StateWish(.reset, of: recipient)
        }
    }

    private static func key(_ key: String) throws(CommandFault) -> String {
        guard StateWish.keyBytes.contains(key.utf8.count) else { throw .missingOperand(verb: "state", operands: "a key of 1 to 128 bytes") }
        return key
    }

    private static func value(_ text: String, of key: String) throws(CommandFault) -> [UInt8] {
        let document = JSONDocument()
        let bytes = Array(text.utf8)
        do throws(JSONFault) {
            try document.read(bytes, limit: .max)
        } catch {
            throw .unreadableValue(text: bytes, hint: quoting(text, of: key), error)
        }
        guard let root = document.root, !root.isNull else {
            throw .missingOperand(verb: "state", operands: "a value that is not null; `state delete` takes a key away")
        }
        do throws(StoreFault) {
            return try StateFile.value(root, in: bytes, path: "VALUE")
        } catch {
            throw .store(error)
        }
    }

    /// A text has quotes in JSON, which a shell takes away.
    private static func quoting(_ text: String, of key: String) -> String? {
        guard !text.hasPrefix("{"), !text.hasPrefix("["), !text.contains("\""), !text.contains("'") else { return nil }
        let isPlain =
            !key.isEmpty
            && key.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x7a).contains($0) && !(0x5b...0x5e).contains($0) && $0 != 0x60 }
        var writer = JSONWriter()
        writer.string(text)
        return
            "a text is quoted, for the shell too: rulehost state set \(isPlain ? key : "KEY") '\(String(decoding: writer.bytes, as: UTF8.self))'"
    }

    private static func file(_ word: String, _ recipient: String?) throws(CommandFault) -> AppState {
        let given = word == "-" ? try InputSource.standardInput.bytes(limit: StateFile.largestImport) : nil
        do throws(StoreFault) {
            var state: AppState
            if let given {
                state = try StateFile.parse(given, path: InputSource.standardInput.name, limit: StateFile.largestImport)
            } else {
                state = try StateFile.read(
                    word, limit: StateFile.largestImport, ifMissing: "name a file as `rulehost state export` writes it")
            }
            if let recipient {
                state.shared = [:]
                state.recipients = state.recipients.filter { $0.key.isExactly(recipient) }
            }
            return state
        } catch {
            throw .store(error)
        }
    }
}
