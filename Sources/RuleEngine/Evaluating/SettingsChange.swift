// What a `settings` event changes: the person has touched switches, or has put all channels back to where the app has
// them. It is done before rules are asked, so that they see the switches as they are now.
import JSONDocument

enum SettingsChange {
    /// Resetting first: what was touched in the same breath stays touched.
    static func effects(of event: Event) -> [Effect] {
        guard case .settings(let appPush, let channels, let resets) = event.meaning else { return [] }
        var effects: [Effect] = resets ? [.resetChannels] : []
        if let appPush { effects.append(.setAppPush(appPush)) }
        for member in channels?.children.map({ $0 }) ?? [] {
            if let isOn = member.bool { effects.append(.setChannel(code: member.key.string, on: isOn)) }
        }
        return effects
    }
}
