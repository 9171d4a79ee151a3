// Any bytes as a message: read or refused with a place inside them; what is read has an answer in JSON, is the same on a
// second reader, is written back to the byte, and with changes reads again as what it was changed to.
import JSONDocument
import PushMessage

final class MessageFuzzer: Fuzzer {
    func run(_ bytes: UnsafeRawBufferPointer) {
        look(bytes, as: nil, on: .ios)
        look(bytes, as: nil, on: .android)
        let formats = MessageFormat.allCases
        look(bytes, as: formats[bytes.count % formats.count], on: .ios)
    }

    private func look(_ bytes: UnsafeRawBufferPointer, as forced: MessageFormat?, on platform: Platform) {
        let reader = MessageReader()
        let context = RecipientContext(platform: platform)
        let message: Message
        do throws(MessageFault) {
            message = try reader.read(bytes, as: forced, for: context)
        } catch {
            demand(!error.code.isEmpty && !error.message.isEmpty && !error.hint.isEmpty, "a fault says what is wrong: \(error)")
            demand((0...bytes.count).contains(error.offset ?? 0), "a fault lies inside the text: \(error)")
            return
        }
        let answer = InspectAnswer.json(for: message, platform: platform)
        demandJSON(answer, "the answer")
        for state in DeviceState.allCases { _ = Journey.events(for: message, state: state, platform: platform, tapped: true) }
        for warning in message.lint { demand(!warning.message.isEmpty, "a warning says what is wrong: \(warning)") }

        let back = Payload.write(message)
        demand(back.elementsEqual(message.source.bytes), "what was not changed is written as it came: \(text(back))")
        demand(bytes.suffix(back.count).elementsEqual(back), "what was not changed has the bytes that came: \(text(back))")
        let second = MessageReader()
        let again = must("what was written back is read") { try second.read(back, as: forced, for: context) }
        demand(InspectAnswer.json(for: again, platform: platform) == answer, "what was written back is the same message: \(text(answer))")
        demand(again.contentHash() == message.contentHash(), "what was written back has the same content")
        for changes in Self.changes { write(changes, into: message, context, by: second) }
    }

    private static let changes = [
        ContentChanges(title: "T1", body: "B1", badge: 7),
        ContentChanges(
            subtitle: "S\"1", sound: "ping", category: "c1", thread: "t1", interruptionLevel: "active", relevance: 0.5,
            attachments: ["https://example.com/p.png"]),
        ContentChanges(attachments: [], withheld: [.sound, .badge, .banner]), ContentChanges(withheld: [.text]),
    ]

    private func write(_ changes: ContentChanges, into message: Message, _ context: RecipientContext, by reader: MessageReader) {
        let written = Payload.write(message, applying: changes)
        let read = must("what was changed is read: \(text(written))") {
            try reader.read(written, as: message.format, for: context, limit: 1 << 20)
        }
        switch message.format {
        case .apns, .iosUserinfo, .fcmV1, .fcmLegacy:
            if let title = changes.title { demand(read.title?.string == title, "the title is changed: \(text(written))") }
            if let body = changes.body { demand(read.body?.string == body, "the body is changed: \(text(written))") }
            if let badge = changes.badge { demand(read.badge == badge, "the badge is changed: \(text(written))") }
        case .cloudevent, .unknown: break
        }
        demand(Payload.write(read, applying: changes) == written, "changed twice is changed once: \(text(written))")
    }
}
