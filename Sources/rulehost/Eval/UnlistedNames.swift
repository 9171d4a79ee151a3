// A tab or a channel on the command line, also in the details of an event, that app.lua does not list is most likely misspelt. It is a warning and no
// error: apps have tabs and channels that nobody has listed yet.
import JSONDocument
import PushMessage
import RuleEngine

enum UnlistedNames {
    /// One warning for each name, with the one that was probably meant. An app that lists none is not asked.
    static func warnings(on device: DeviceInput, _ event: Event?, in manifest: Manifest) -> [String] {
        var warnings: [String] = []
        if let tab = device.namedTab, !manifest.tabs.isEmpty, !manifest.tabs.contains(tab) {
            warnings.append(warning("--tab \(tab)", "tab", tab, among: manifest.tabs))
        }
        if let channels = manifest.channels?.map(\.code), !channels.isEmpty {
            for name in device.namedChannels where !channels.contains(name) {
                warnings.append(warning("--set channel.\(name)", "channel", name, among: channels))
            }
            if case .settings(_, let changed?, _) = event?.meaning {
                let listed = Set(channels)
                let room = TellingRoom()
                for name in changed.children.map(\.key.string) where !listed.contains(name) && room.take() {
                    warnings.append(warning("--event changed.channels.\(name.shortened)", "channel", name, among: channels, room))
                }
                if room.untold > 0 { warnings.append("--event changed.channels: \(room.untold) more are not listed in app.lua") }
            }
        }
        return warnings
    }

    /// - Parameter room: where there are many; what was probably meant is told of the first of them.
    static func warning(_ flag: String, _ kind: String, _ name: String, among known: [String], _ room: TellingRoom? = nil) -> String {
        let near = room.map { $0.nearest(to: name, among: known) } ?? NearestName.of(name, among: known)
        let hint =
            near.map { "did you mean \($0)?" } ?? "listed are \(known.prefix(20).joined(separator: ", "))"
        return "\(flag): app.lua lists no such \(kind); \(hint)".printable
    }
}
