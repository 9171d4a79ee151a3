// What can be read of a message that is held back, for people who are told what has become of it. Taken from the state
// before the evaluation, because a message that was decided is kept no longer.
import JSONDocument
import PushMessage
import RuleEngine

struct HeldText {
    let id: String
    let title: String?
    let subtitle: String?
    let body: String?

    /// Those that wait for the app to come to the front, oldest first, as `deferred` of a decision lists them.
    static func waitingForResume(in state: AppState, on device: Device, _ manifest: Manifest) -> [HeldText] {
        let kept = state.recipients[device.recipient?.string ?? ""]?.deferred.filter { $0.until == .resume } ?? []
        guard !kept.isEmpty else { return [] }
        let reader = MessageReader(fields: manifest.fields, links: manifest.linkOrder)
        return kept.map { message in
            do throws(MessageFault) {
                let read = try reader.read(
                    message.message, as: message.format, for: device.messageContext, limit: message.message.count)
                return HeldText(
                    id: message.id, title: read.title?.string, subtitle: read.subtitle?.string, body: read.body?.string)
            } catch {
                // The decision says so.
                return HeldText(id: message.id, title: nil, subtitle: nil, body: nil)
            }
        }
    }
}
