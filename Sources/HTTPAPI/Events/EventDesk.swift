// What has happened lately to an app that somebody listens to, or did a while ago: numbered, so that who comes back hears what he has not heard.
// Belongs to EventHall, which has the lock. It must stay small: what is older is told to have been missed.
import HTTPServer
import RuleHosting

struct EventDesk {
    private struct Kept {
        let number: UInt64
        let bytes: [UInt8]
        let isAboutRules: Bool
    }

    /// Another one for each desk: numbers of the host before this one, or of a desk that was cleared, are not taken for its own.
    private let name = String(UInt32.random(in: .min ... .max), radix: 16)
    private var kept: [Kept] = []
    private var keptBytes = 0
    /// Of the last event.
    private(set) var number: UInt64 = 0
    /// What the app is since the last event about its rules; nil: gone.
    private var latest: (number: UInt64, info: AppInfo?)?
    var listeners: [EventListener] = []
    /// Rises with each listener who leaves a desk alone.
    var alone: UInt64 = 0

    private static let (most, mostBytes) = (100, 64 << 10)

    /// - Returns: its bytes, with its number.
    mutating func add(_ event: HostEvent, _ body: [UInt8]) -> [UInt8] {
        number += 1
        if event.isAboutRules { latest = (number, event.info) }
        let bytes = body + id + [0x0a]
        kept.append(Kept(number: number, bytes: bytes, isAboutRules: event.isAboutRules))
        keptBytes += bytes.count
        while kept.count > EventDesk.most || keptBytes > EventDesk.mostBytes { keptBytes -= kept.removeFirst().bytes.count }
        return bytes
    }

    /// Where a client stands who has heard everything until now.
    private var id: [UInt8] { Array("id: \(name)-\(number)\n".utf8) }

    /// The number in a field Last-Event-ID; nil: it is none of this desk.
    func number(of id: String) -> UInt64? {
        guard id.hasPrefix("\(name)-"), let heard = UInt64(id.dropFirst(name.utf8.count + 1)), heard <= number else { return nil }
        return heard
    }

    /// What somebody has to be told before he hears what happens from now on.
    /// - Parameters:
    ///   - place: where he stands.
    ///   - info: of the app, asked for after he came.
    func greeting(_ place: EventListener.Place, _ info: AppInfo?, _ write: (AppInfo?) -> [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        var heard = place.before
        switch place.heard {
        case nil: break
        case .others:
            heard = 0
            bytes += EventDesk.missed("{\"of\":\"events\"}")
        case .until(let number):
            heard = number
            let first = kept.first?.number ?? self.number + 1
            if first > heard + 1 { bytes += EventDesk.missed("{\"of\":\"events\",\"count\":\(first - heard - 1)}") }
        }
        for event in kept where event.number > heard {
            // To who is new the state says it.
            if place.heard == nil, event.isAboutRules { continue }
            bytes += event.bytes
        }
        // What has been told since he came is newer than what was asked for then.
        let present = if let latest, latest.number > place.before { latest.info } else { info }
        return bytes + write(present) + id + [0x0a]
    }

    static func missed(_ data: String) -> [UInt8] { Array("event: missed\ndata: \(data)\n\n".utf8) }
}

extension HostEvent {
    fileprivate var isAboutRules: Bool {
        switch kind {
        case .reload, .fault, .draftFault, .state, .gone: true
        case .due: false
        }
    }
}
