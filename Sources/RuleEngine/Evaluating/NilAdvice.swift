// What to write where a script has reckoned with a field that the message does not have: by far the most frequent
// fault of a rule. Called when a rule has failed; looks at the line of the source that the machine names.
import LuaSandbox

enum NilAdvice {
    /// nil when the fault is another one, or the line does not show what was read.
    static func hint(for fault: ScriptFault, in files: [SourceFile]) -> String? {
        guard fault.code == .ruleRaised, let operation = Operation(fault.message) else { return nil }
        guard let name = name(in: fault.message), let file = files.first(where: { $0.path == fault.file }),
            let read = SourcePlaces(file.bytes).reading(of: name, onLine: fault.line)
        else { return operation == .comparison ? "what is not there is nil: compare (… or 0)" : nil }
        return switch operation {
        case .concatenation: "what is not there is nil: write (\(read) or \"\")"
        case .arithmetic, .comparison: "what is not there is nil: write (\(read) or 0)"
        case .index: "\(read) is not always there: ask for it first, such as \(read) and \(read).…"
        }
    }

    private enum Operation {
        case concatenation, arithmetic, comparison, index

        init?(_ message: String) {
            guard message.contains("nil") else { return nil }
            if message.hasPrefix("attempt to concatenate a nil value") {
                self = .concatenation
            } else if message.hasPrefix("attempt to perform arithmetic on a nil value") {
                self = .arithmetic
            } else if message.hasPrefix("attempt to compare ") {
                self = .comparison
            } else if message.hasPrefix("attempt to index a nil value") {
                self = .index
            } else {
                return nil
            }
        }
    }

    /// Of `(field 'name')`, and likewise of a local one.
    private static func name(in message: String) -> String? {
        for kind in ["field '", "local '", "upvalue '"] {
            guard let start = message.firstRange(of: kind)?.upperBound else { continue }
            return String(message[start...].prefix { $0 != "'" })
        }
        return nil
    }
}
