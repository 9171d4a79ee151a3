// What a person wants to have varied: `screen=home,chat/room-1`, `now=08:00,22:00`, `os.version=13,18`. Which fields there are
// and what they hold is taken from the description of the phone; each value is read as a phone before anything is decided, so
// that what is wrong is told with its place.
import CivilTime
import JSONDocument
import PushMessage
import RuleEngine
import RuleReference

public enum VaryText {
    /// A place in the text that cannot be read, and what may stand there.
    public struct Fault: Error, Sendable, Equatable {
        /// In Unicode scalars, from 1.
        public let column: Int
        /// How many scalars are meant.
        public let length: Int
        public let message: String
        public let hint: String?

        public init(column: Int, length: Int, message: String, hint: String?) {
            self.column = column
            self.length = length
            self.message = message
            self.hint = hint
        }
    }

    /// All that can be varied, for help: a channel stands for any.
    public static let fields = ["screen", "channel.CODE", "os.version", "now", "event"] + DeviceTableKeys.plain

    public static func read(_ text: String) throws(Fault) -> MatrixInput {
        guard let equals = text.firstIndex(of: "="), equals > text.startIndex else {
            throw Fault(
                column: 1, length: max(1, text.unicodeScalars.count), message: "it is not said what takes which values",
                hint: "write FIELD=VALUE,VALUE, such as state=foreground,background")
        }
        let name = String(text[..<equals])
        let reader = try valueReader(name)
        var values: [MatrixInput.Value] = []
        for piece in pieces(of: text[text.index(after: equals)...]) {
            let column = text[..<piece.startIndex].unicodeScalars.count + 1
            let word = piece.trimmed
            let length = max(1, word.unicodeScalars.count)
            let value: MatrixInput.Value
            do throws(Reason) {
                guard !word.isEmpty else { throw Reason("there is a value missing", "write null for what nobody knows") }
                value = try reader(word)
                try check(value.setting)
            } catch {
                throw Fault(column: column, length: length, message: error.message, hint: error.hint)
            }
            if values.contains(where: { $0.setting == value.setting }) {
                throw Fault(column: column, length: length, message: "`\(word)` stands there twice", hint: "leave one out")
            }
            values.append(value)
        }
        return MatrixInput(name, values)
    }

    /// Why a value is none.
    private struct Reason: Error {
        let message: String
        let hint: String?

        init(_ message: String, _ hint: String?) {
            self.message = message
            self.hint = hint
        }
    }

    private typealias ValueReader = (String) throws(Reason) -> MatrixInput.Value

    // MARK: names

    private static func valueReader(_ name: String) throws(Fault) -> ValueReader {
        switch name {
        case "now": return now
        case "event": return event
        case "screen": return screen
        case "os": return os
        case "os.version": return { (word) throws(Reason) in field(word, DeviceField("os", "version", json: try json(word, .text))) }
        default: break
        }
        if name.hasPrefix("channel."), name.utf8.count > "channel.".utf8.count {
            let code = String(name.dropFirst("channel.".count))
            return { (word) throws(Reason) in field(word, DeviceField("channels", code, json: try json(word, .truth))) }
        }
        guard let type = DeviceTableKeys.type(of: name) else {
            let nearest = PushMessage.DidYouMean.nearest(to: name, among: fields)
            throw Fault(
                column: 1, length: name.unicodeScalars.count, message: "there is no field `\(name)` to vary",
                hint: nearest.map { "did you mean `\($0)`?" } ?? "one of \(fields.joined(separator: ", "))")
        }
        return { (word) throws(Reason) in field(word, DeviceField(name, json: try json(word, type))) }
    }

    private static func field(_ word: String, _ field: DeviceField) -> MatrixInput.Value {
        switch field.json {
        case nil: MatrixInput.Value("not known", .device(field))
        case Array("true".utf8): MatrixInput.Value("on", .device(field))
        case Array("false".utf8): MatrixInput.Value("off", .device(field))
        default: MatrixInput.Value(word, .device(field))
        }
    }

    // MARK: values

    private static func json(_ word: String, _ type: DeviceTableKeys.Form) throws(Reason) -> [UInt8]? {
        if word == "null" { return nil }
        switch type {
        case .truth:
            switch word {
            case "on", "true", "yes": return Array("true".utf8)
            case "off", "false", "no": return Array("false".utf8)
            default: throw Reason("`\(word)` is neither on nor off", "write on or off")
            }
        case .text: return Array((word.hasPrefix("\"") ? word : JSONLine.quoted(word)).utf8)
        case .json: return Array(word.utf8)
        }
    }

    /// "chat", "chat/room-1", or an object.
    private static func screen(_ word: String) throws(Reason) -> MatrixInput.Value {
        if word == "null" { return field(word, DeviceField("screen", json: nil)) }
        if word.hasPrefix("{") { return field(word, DeviceField("screen", json: Array(word.utf8))) }
        let steps = word.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard let tab = steps.first, !steps.contains("") else {
            throw Reason("`\(word)` is no screen", "write a tab, or TAB/SCREEN with the screens above it")
        }
        return MatrixInput.Value(
            ScreenWords.label(tab, Array(steps.dropFirst())),
            .device(DeviceField("screen", json: JSONLine.screen(tab: tab, path: Array(steps.dropFirst())))))
    }

    /// "ios", "android 14", or an object.
    private static func os(_ word: String) throws(Reason) -> MatrixInput.Value {
        if word == "null" || word.hasPrefix("{") {
            return field(word, DeviceField("os", json: word == "null" ? nil : Array(word.utf8)))
        }
        let parts = word.split(separator: " ").map(String.init)
        guard let name = parts.first, parts.count <= 2 else {
            throw Reason("`\(word)` is no system", "write its name, or name and version: ios, android 14")
        }
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("name", name)
        if parts.count == 2 {
            writer.member("version", parts[1])
        }
        writer.endObject()
        return MatrixInput.Value(word, .device(DeviceField("os", json: writer.bytes)))
    }

    private static func now(_ word: String) throws(Reason) -> MatrixInput.Value {
        if let instant = Instant(word) { return MatrixInput.Value(word, .now(instant)) }
        var copy = word
        if let clock = copy.withUTF8({ TimeOfDay(JSONText(start: $0.baseAddress, count: $0.count)) }) {
            return MatrixInput.Value(clock.text, .clock(clock))
        }
        throw Reason(
            "`\(word)` is no moment", "write a date and time with zone, 2026-01-01T22:00:00Z, or a time on the phone's clock, 22:00")
    }

    private static func event(_ word: String) throws(Reason) -> MatrixInput.Value {
        if word == "journey" { return MatrixInput.Value(word, .event(nil)) }
        return MatrixInput.Value(word, .event(Array((word.hasPrefix("{") ? word : JSONLine.quoted(word)).utf8)))
    }

    /// Reads a value as what it will be used as.
    private static func check(_ setting: MatrixInput.Setting) throws(Reason) {
        let document = JSONDocument()
        do {
            switch setting {
            case .now, .clock, .event(nil): return
            case .event(let json?):
                try document.read(json)
                guard let root = document.root else { return }
                let event = try Event.read(root)
                if event.details == nil, event.name.needsDetails {
                    throw Reason(
                        "`\(event.name.rawValue)` says nothing without details",
                        "write it as an object, {\"name\": \"\(event.name.rawValue)\", …}")
                }
            case .device(let field):
                try document.read(JSONLine.device(nil, with: [field]))
                let device = try DeviceReader().read(document.root)
                if let warning = device.warnings.first { throw Reason(warning.message, warning.hint) }
            }
        } catch let fault as RequestFault {
            throw Reason(fault.message, fault.hint)
        } catch let fault as JSONFault {
            throw Reason(fault.message, fault.hint)
        } catch let reason as Reason {
            throw reason
        } catch { return }
    }

    /// What stands between the commas that belong to no list, object or quoted text.
    private static func pieces(of text: Substring) -> [Substring] {
        var pieces: [Substring] = []
        var start = text.startIndex
        var depth = 0
        var isQuoted = false
        var isEscaped = false
        for place in text.indices {
            let letter = text[place]
            if isEscaped {
                isEscaped = false
            } else if isQuoted, letter == "\\" {
                isEscaped = true
            } else if letter == "\"" {
                isQuoted.toggle()
            } else if !isQuoted, letter == "[" || letter == "{" {
                depth += 1
            } else if !isQuoted, letter == "]" || letter == "}" {
                depth -= 1
            } else if letter == ",", depth <= 0, !isQuoted {
                pieces.append(text[start..<place])
                start = text.index(after: place)
            }
        }
        pieces.append(text[start...])
        return pieces
    }
}

/// How the values of the phone's fields are written on a command line.
enum DeviceTableKeys {
    enum Form { case text, truth, json }

    /// Fields that are varied as they are; `screen` and `channels` have a way of their own.
    static let plain = Reference.device.names.filter { $0 != "screen" && $0 != "channels" }

    static func type(of name: String) -> Form? {
        guard plain.contains(name), let key = Reference.device[name] else { return nil }
        switch key.type {
        case .truth: return .truth
        case .text, .form, .words: return .text
        default: return .json
        }
    }
}

extension Substring {
    fileprivate var trimmed: String {
        var text = self
        while text.first == " " { text.removeFirst() }
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
