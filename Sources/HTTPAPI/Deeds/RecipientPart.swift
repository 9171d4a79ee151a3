// What is remembered of one recipient, in the parts that HTTP knows: read and written in the form of state files, by the same reader and
// writer, so that what is no state is told with the same words. Used by RecipientDeed.
import JSONDocument
import RuleEngine
import RuleHosting
import RuleStore

enum RecipientPart: String, Sendable, CaseIterable {
    case state
    case settings
    case topics
    case badge

    /// As a state file calls it.
    private var key: String { self == .state ? "values" : rawValue }

    /// Its name in the description.
    var schema: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }

    /// Of what somebody gives, where less is taken than may be kept.
    var givenSchema: String { self == .topics ? "GivenTopics" : schema }

    /// When nothing is there.
    private var nothing: String { self == .badge ? "null" : "{}" }

    /// JSON.
    func text(of recipient: RecipientState) -> [UInt8] {
        var part = RecipientState()
        replace(in: &part, by: recipient)
        var state = AppState()
        state.recipients["r"] = part
        let document = JSONDocument()
        do throws(JSONFault) {
            try document.read(StateWriter.file(state), limit: 16 << 20, depth: 200)
        } catch {
            return Array(nothing.utf8)
        }
        guard let value = document.root?["recipients"]?["r"]?[key] else { return Array(nothing.utf8) }
        var writer = JSONWriter()
        writer.value(value)
        return writer.bytes
    }

    /// - Parameter json: as `text` gives it.
    func read(_ json: [UInt8]) throws(HostProblem) -> RecipientState {
        let document = JSONDocument()
        do throws(JSONFault) {
            try document.read(json, limit: 1 << 20, depth: 72)
        } catch {
            throw HostProblem(error)
        }
        guard let root = document.root else { throw Self.invalid("the body is empty") }
        if self == .topics { try Self.checkTopics(root, "") }
        // In a file of state it would mean that nothing is said; of a badge that there is none.
        guard !root.isNull || self == .badge else { throw Self.invalid("null is no \(rawValue)", hint: "DELETE forgets it") }
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("recipients")
        writer.beginObject()
        writer.key("r")
        writer.beginObject()
        writer.key(key)
        if self == .badge, let number = root.wholeNumber { writer.integer(number) } else { writer.value(root) }
        writer.endObject()
        writer.endObject()
        writer.endObject()
        do throws(StoreFault) {
            return try StateFile.parse(writer.bytes, path: "the body").recipients["r"] ?? RecipientState()
        } catch {
            throw invalid(error)
        }
    }

    /// A phone that is told to leave a topic leaves it once, and none has no name.
    private static func checkTopics(_ value: JSONValue, _ pointer: String) throws(HostProblem) {
        guard value.isArray else {
            for key in ["wanted", "confirmed"] {
                if let list = value[key], list.isArray { try checkTopics(list, "/\(key)") }
            }
            return
        }
        var known: Set<[UInt8]> = []
        for (index, element) in value.children.enumerated() {
            guard let name = element.text else { continue }
            let isNew = known.insert(Array(name.bytes)).inserted
            if !name.isEmpty, isNew { continue }
            var problem = invalid(name.isEmpty ? "a topic has a name" : "a topic stands there twice", hint: "name each topic once")
            problem.pointer = "\(pointer)/\(index)"
            throw problem
        }
    }

    func replace(in state: inout RecipientState, by new: RecipientState) {
        switch self {
        case .state: state.values = new.values
        case .settings: (state.appPush, state.timezone, state.channels) = (new.appPush, new.timezone, new.channels)
        case .topics: (state.wantedTopics, state.confirmedTopics) = (new.wantedTopics, new.confirmedTopics)
        case .badge: state.badge = new.badge
        }
    }

    /// In the words of the part, which stands alone in the body.
    private func invalid(_ fault: StoreFault) -> HostProblem {
        let (words, pointer) = ("recipients.r.", "/recipients/r/\(key)")
        var problem = Self.invalid(
            fault.message.hasPrefix(words) ? String(fault.message.dropFirst(words.count)) : fault.message, hint: fault.hint)
        if let place = fault.pointer, place.hasPrefix(pointer) { problem.pointer = String(place.dropFirst(pointer.count)) }
        return problem
    }

    private static func invalid(_ detail: String, hint: String? = nil) -> HostProblem {
        HostProblem(code: StoreFault.Code.stateInvalid.rawValue, status: 400, detail: detail, hint: hint, pointer: "")
    }
}

extension JSONValue {
    /// A number without a part behind the point, however it is written: 93.0 is one, as it is to JSON Schema.
    var wholeNumber: Int? {
        if let integer { return Int(integer) }
        guard let number = double, abs(number) < 0x1p53, number == number.rounded() else { return nil }
        return Int(number)
    }
}
