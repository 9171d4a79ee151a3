// The table of callbacks, cell by cell.
import PushMessage
import Testing

@Suite("Journey")
struct JourneyTests {
    static let alert = JourneyTraits(hasAlert: true)
    static let silent = JourneyTraits(contentAvailable: true, isSilent: true)
    static let both = JourneyTraits(hasAlert: true, contentAvailable: true)
    static let pictured = JourneyTraits(hasAlert: true, mutableContent: true)
    static let all = JourneyTraits(hasAlert: true, contentAvailable: true, mutableContent: true)
    static let badge = JourneyTraits(hasBadgeOrSound: true)
    static let data = JourneyTraits(hasData: true)

    static let table: [(traits: JourneyTraits, front: [Callback], background: [Callback], terminated: [Callback], forceQuit: [Callback])] =
        [
            (alert, [.present], [.send], [.send], [.send]),
            (silent, [.receive], [.receive], [.receive], []),
            (both, [.receive, .present], [.send, .receive], [.send, .receive], [.send]),
            (pictured, [.enrich, .present], [.enrich], [.enrich], [.enrich]),
            (all, [.enrich, .receive, .present], [.enrich, .receive], [.enrich, .receive], [.enrich]),
            (badge, [.present], [.send], [.send], [.send]),
            (data, [], [], [], []),
        ]

    @Test("an iPhone calls back as the table says, in every state")
    func ios() {
        for row in Self.table {
            for state in DeviceState.allCases {
                let expected =
                    switch state {
                    case .foreground, .inactive: row.front
                    case .background: row.background
                    case .terminated, .notRunning: row.terminated
                    case .forceQuit: row.forceQuit
                    }
                #expect(Journey.events(for: row.traits, state: state, platform: .ios) == expected)
            }
        }
    }

    @Test("a tap opens, and a cold start resumes after it")
    func tap() {
        for state in DeviceState.allCases {
            let events = Journey.events(for: Self.alert, state: state, platform: .ios, tapped: true)
            #expect(events.suffix(state.isColdStart ? 2 : 1) == (state.isColdStart ? [.open, .resume] : [.open]))
        }
    }

    @Test("mutable content without an alert calls no extension")
    func mutableWithoutAlert() {
        let traits = JourneyTraits(hasBadgeOrSound: true, mutableContent: true)
        #expect(Journey.events(for: traits, state: .background, platform: .ios) == [.send])
    }

    @Test("Android shows notifications in the background and hands everything over in front")
    func android() {
        let both = JourneyTraits(hasAlert: true, hasData: true)
        for state in DeviceState.allCases {
            let isInFront = state == .foreground || state == .inactive
            #expect(Journey.events(for: Self.alert, state: state, platform: .android) == [isInFront ? .receive : .send])
            #expect(Journey.events(for: Self.data, state: state, platform: .android) == [.receive])
            #expect(Journey.events(for: both, state: state, platform: .android) == [isInFront ? .receive : .send])
            #expect(Journey.events(for: JourneyTraits(), state: state, platform: .android) == [])
        }
    }
}
