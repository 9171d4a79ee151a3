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
        case .set: StateWish(.set(try key(words[0]), try value(words[1])), of: recipient)
        case .delete: StateWish(.delete(try key(words[0])), of: recipient)
        case .import: StateWish(.import(try file(words[0], recipient)), of: recipient)
        case .reset, .get, .export: StateWish(.reset, of: recipient)
        }
    }

    private static func key(_ key: String) throws(CommandFault) -> String {
        guard StateWish.keyBytes.contains(key.utf8.count) else { throw .missingOperand(verb: "state", operands: "a key of 1 to 128 bytes") }
        return key
    }

    private static func value(_ text: String) throws(CommandFault) -> [UInt8] {
        let document = JSONDocument()
        let bytes = Array(text.utf8)
        do throws(JSONFault) {
            try document.read(bytes, limit: .max)
        } catch {
            throw .unreadableJSON(source: "VALUE", text: bytes, error)
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
