// What a matrix varies: a field of the phone, the moment, or the event, and the values that it takes in turn. Made from the
// app (MatrixDefaults) or from the words of a person (VaryText).
public import CivilTime
import JSONDocument
public import PushMessage

public struct MatrixInput: Sendable, Equatable {
    public struct Value: Sendable, Equatable {
        /// As a table shows it: "foreground", "chat › room-1", "on".
        public let label: String
        public let setting: Setting

        init(_ label: String, _ setting: Setting) {
            self.label = label
            self.setting = setting
        }
    }

    public enum Setting: Sendable, Equatable {
        case device(DeviceField)
        case now(Instant)
        /// On the clock where the phone is, on the day on which the matrix is asked.
        case clock(TimeOfDay)
        /// JSON text of a name or an object; nil: the journey of the message.
        case event([UInt8]?)
    }

    /// "state", "screen", "channel.offers", "now"
    public let name: String
    /// At least one; different from each other.
    public let values: [Value]

    init(_ name: String, _ values: [Value]) {
        self.name = name
        self.values = values
    }
}

/// A field of the phone and what it is set to.
public struct DeviceField: Sendable, Equatable {
    public let key: String
    /// Inside of the object that the key names: a channel of `channels`; nil: the key itself.
    public let member: String?
    /// JSON text; nil: nobody knows.
    public let json: [UInt8]?

    init(_ key: String, _ member: String? = nil, json: [UInt8]?) {
        self.key = key
        self.member = member
        self.json = json
    }

    init(_ key: String, _ member: String? = nil, text: String) {
        self.init(key, member, json: Array(JSONLine.quoted(text).utf8))
    }

    init(_ key: String, _ member: String? = nil, isOn: Bool) {
        self.init(key, member, json: Array((isOn ? "true" : "false").utf8))
    }

    /// Both say something about the same thing.
    func overlaps(_ other: DeviceField) -> Bool {
        key == other.key && (member == nil || other.member == nil || member == other.member)
    }
}

extension MatrixInput {
    /// Both say something about the same thing.
    public func overlaps(_ other: MatrixInput) -> Bool {
        guard let mine = values.first?.setting, let theirs = other.values.first?.setting else { return name == other.name }
        switch (mine, theirs) {
        case (.device(let mine), .device(let theirs)): return mine.overlaps(theirs)
        default: return name == other.name
        }
    }

    /// Of screens: the tabs that are named, each once.
    public var tabs: [String] {
        var tabs: [String] = []
        let document = JSONDocument()
        for case .device(let field) in values.map(\.setting) {
            guard field.key == "screen", let json = field.json else { continue }
            // It has been read when the value was.
            do throws(JSONFault) { try document.read(json) } catch { continue }
            guard let tab = document.root?["tab"]?.text?.string, !tabs.contains(where: tab.isExactly) else { continue }
            tabs.append(tab)
        }
        return tabs
    }
}
