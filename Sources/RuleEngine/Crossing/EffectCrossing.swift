// Effects as bytes for another process, and back. Whose state they change is not in them: it is the recipient and the app
// that were asked about, whatever the other process thinks.
import PushMessage

extension CrossingWriter {
    mutating func write(_ effects: [Effect]) { list(effects) { $0.write($1) } }

    private mutating func write(_ effect: Effect) {
        switch effect {
        case .setValue(let scope, let key, let value):
            byte(0)
            word(scope)
            text(key)
            write(value)
        case .deleteValue(let scope, let key):
            byte(1)
            word(scope)
            text(key)
        case .setChannel(let code, let on):
            byte(2)
            text(code)
            flag(on)
        case .resetChannels: byte(3)
        case .setAppPush(let on):
            byte(4)
            flag(on)
        case .setBadge(let value):
            byte(5)
            number(value)
        case .sawMessage(let mark):
            byte(6)
            text(mark.record)
            optional(mark.recordFirst) { $0.number($1.milliseconds) }
            write(mark.message)
            number(mark.window)
        case .countForCap(let key, let instant, let limit, let span):
            byte(7)
            text(key)
            number(instant.milliseconds)
            number(limit)
            number(span)
        case .setTopics(let wanted, let confirmed):
            byte(8)
            write(wanted)
            write(confirmed)
        case .setTokens(let tokens):
            byte(9)
            write(tokens)
        case .keepDeferred(let message):
            byte(10)
            write(message)
        case .dropDeferred(let id):
            byte(11)
            text(id)
        case .keepInInbox(let json):
            byte(12)
            raw(json)
        case .takeInbox: byte(13)
        case .keepPendingRoute(let json):
            byte(14)
            raw(json)
        case .takePendingRoutes: byte(15)
        }
    }
}

extension CrossingReader {
    mutating func effects() throws(CrossingFault) -> [Effect] {
        try list(ofAtLeast: 1) { (reader) throws(CrossingFault) in try reader.effect() }
    }

    private mutating func effect() throws(CrossingFault) -> Effect {
        switch try byte() {
        case 0: .setValue(scope: try word(), key: try text(), value: try storedValue())
        case 1: .deleteValue(scope: try word(), key: try text())
        case 2: .setChannel(code: try text(), on: try flag())
        case 3: .resetChannels
        case 4: .setAppPush(try flag())
        case 5: .setBadge(try number(in: badges))
        case 6:
            .sawMessage(
                SeenMark(record: try optionalText(), recordFirst: try optionalInstant(), message: try seenMessage(), window: try number()))
        case 7: .countForCap(key: try text(), at: try instant(), limit: try number(in: 1...Int(Int32.max)), span: try number())
        case 8: .setTopics(wanted: try optionalTexts(), confirmed: try optionalTexts())
        case 9: .setTokens(try tokens())
        case 10: .keepDeferred(try deferredMessage())
        case 11: .dropDeferred(id: try text())
        case 12: .keepInInbox(try json())
        case 13: .takeInbox
        case 14: .keepPendingRoute(try json())
        case 15: .takePendingRoutes
        default: throw CrossingFault("an effect")
        }
    }
}
