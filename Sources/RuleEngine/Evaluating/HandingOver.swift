// What is kept for the app until it comes to the front: routes of taps that had to start it, and the inbox.
import JSONDocument
import PushMessage

/// Routes that wait, oldest first, as JSON text. Only the newest is given; nobody wants to be led through old taps.
struct PendingRoutes {
    /// Kept for the trace; of more only the newest.
    static let most = 16

    /// The routes that are not given, in words.
    private(set) var older: [String] = []
    private var texts: [[UInt8]]
    private let document = JSONDocument()

    init(_ texts: [[UInt8]]) { self.texts = texts }

    mutating func takeNewest() -> Route? {
        var newest: Route?
        while let text = texts.popLast() {
            guard let route = read(text) else { continue }
            if newest == nil { newest = route } else { older.insert(route.place, at: 0) }
        }
        return newest
    }

    /// nil for what is no route: a state that somebody edited.
    private func read(_ text: [UInt8]) -> Route? {
        do throws(JSONFault) {
            try document.read(text)
        } catch {
            return nil
        }
        return document.root.flatMap(RouteText.read)
    }
}

enum Inbox {
    /// Values that are kept for one recipient.
    static let most = 1_000
    /// Their bytes.
    static let mostBytes = 256 << 10

    /// How many of the oldest have to leave when one more comes.
    static func tooMany(_ values: [[UInt8]], with value: [UInt8]) -> Int {
        var bytes = value.count
        for kept in values { bytes += kept.count }
        var count = 0
        while count < values.count, values.count - count + 1 > most || bytes > mostBytes {
            bytes -= values[count].count
            count += 1
        }
        return count
    }

    /// The kept values, each JSON text, as one list.
    static func list(_ values: [[UInt8]]) -> [UInt8] {
        var writer = JSONWriter(reserving: 256)
        writer.beginArray()
        for value in values { writer.raw(value) }
        writer.endArray()
        return writer.bytes
    }
}

extension Route {
    init?(_ contributed: ContributedRoute, rule: String?, reason: String?) {
        self.init()
        self.rule = rule
        self.reason = reason
        switch contributed {
        case .nowhere: return nil
        case .link(let url): self.url = url.string
        case .place(let place):
            tab = place.tab?.string
            url = place.url?.string
            path = place.path
            mode = place.mode
            account = place.account?.string
        }
    }

    /// The phone shows just that. Of a link nobody knows, and another account's screen is another one.
    func isOnTop(of device: Device) -> Bool {
        guard device.state == .foreground || device.state == .inactive, url == nil, account == nil,
            let shown = device.screenTab, tab.map({ shown == $0 }) ?? true
        else { return false }
        let screens = device.screenPath?.children.map { $0.text?.string ?? $0.literal?.string ?? "" } ?? []
        let wanted = path ?? []
        guard mode == .push ? !wanted.isEmpty : screens.count == wanted.count else { return false }
        return screens.suffix(wanted.count).elementsEqual(wanted) { $0.isExactly($1) }
    }

    /// In words: `tab chat, path room-1`, or the address.
    var place: String {
        guard let tab else { return url ?? "nowhere" }
        guard let path, !path.isEmpty else { return "tab \(tab)" }
        return "tab \(tab), path \(path.joined(separator: "/"))"
    }
}
