// Makes the tapes of a normalised message: links and borrowed texts into the document, next to nothing copied.
import JSONDocument

struct MessageTape {
    private let view = JSONBuilder()
    /// What `view` links to and what no text stands behind.
    private let extras = JSONBuilder()

    /// Begins anew; every tape of the message before is void.
    func reset() {
        view.reset()
        extras.reset()
    }

    // MARK: data and loc

    struct Extras {
        let data: JSONValue
        let loc: JSONValue?
    }

    /// nil when memory ran out.
    func buildExtras(_ draft: borrowing MessageDraft, source: JSONText, loc arguments: LocArguments) -> Extras? {
        let content = draft.content
        let plain = content.hasPeers || !content.isFCMDataPlain ? nil : content.fcmData
        if let plain, draft.loc.first == nil { return Extras(data: plain, loc: nil) }
        extras.open(.array)
        if let plain { extras.link(plain) } else { buildData(content, source) }
        if draft.loc.first != nil { buildLoc(draft.loc, arguments) }
        extras.close()
        guard let root = extras.finish(), let data = root[0] else { return nil }
        return Extras(data: data, loc: root[1])
    }

    /// Custom keys as the phone sees them: FCM's data as texts, then what stands beside `aps`, which wins.
    private func buildData(_ content: CustomContent, _ source: JSONText) {
        extras.open(.object)
        if let fcmData = content.fcmData {
            var taken = Set<ExactText>()
            if content.hasPeers, let peers = content.peers {
                for member in peers.children where isData(member) { taken.insert(ExactText(member.key.string)) }
            }
            for member in fcmData.children where isData(member) {
                if !taken.isEmpty, taken.contains(ExactText(member.key.string)) { continue }
                extras.key(member.key, id: member.keyID)
                if member.isString {
                    extras.link(member)
                } else {
                    extras.string(extras.minified(source.slice(of: member)))
                }
            }
        }
        if content.hasPeers, let peers = content.peers {
            for member in peers.children where isData(member) {
                extras.key(member.key, id: member.keyID)
                extras.link(member)
            }
        }
        extras.close()
    }

    private func isData(_ member: JSONValue) -> Bool { !member.isNull && CustomContent.isCustom(member) }

    private func buildLoc(_ loc: LocKeys, _ arguments: LocArguments) {
        extras.open(.object)
        buildLoc("title_key", loc.titleKey, "title_args", arguments.title)
        buildLoc("subtitle_key", loc.subtitleKey, "subtitle_args", arguments.subtitle)
        buildLoc("body_key", loc.bodyKey, "body_args", arguments.body)
        extras.close()
    }

    private func buildLoc(_ keyName: StaticString, _ key: JSONValue?, _ listName: StaticString, _ list: JSONValue?) {
        guard let key else { return }
        extras.key(keyName)
        extras.link(key)
        guard let list else { return }
        extras.key(listName)
        extras.link(list)
    }

    /// A text that lives until the next `reset`.
    func keep(_ text: String) -> JSONText { extras.keep(Array(text.utf8)) }

    // MARK: the view

    /// nil when memory ran out.
    func buildView(_ draft: borrowing MessageDraft, _ extras: Extras, raw: JSONValue, lint: [Warning]) -> JSONValue? {
        view.open(.object)
        text(.id, draft)
        if draft.isIDGenerated { flag(.idGenerated, true) }
        view.key(MessageField.format.name)
        view.string(draft.format.name)
        text(.title, draft)
        text(.subtitle, draft)
        text(.body, draft)
        link(.loc, extras.loc)
        text(.image, draft)
        number(.badge, draft.badge.map(Int64.init))
        sound(draft.sound)
        text(.channel, draft)
        text(.thread, draft)
        text(.category, draft)
        text(.collapse, draft)
        text(.topic, draft)
        text(.condition, draft)
        text(.link, draft)
        text(.recipient, draft)
        text(.account, draft)
        text(.priority, draft)
        text(.pushType, draft)
        text(.interruptionLevel, draft)
        link(.relevance, draft.relevance)
        text(.targetContentID, draft)
        text(.filter, draft)
        number(.ttl, draft.ttl)
        instant(.sentAt, draft.sentAt)
        instant(.expiresAt, draft.expiresAt)
        flag(.contentAvailable, draft.contentAvailable)
        flag(.mutableContent, draft.mutableContent)
        flag(.silent, draft.isSilent)
        schedule(draft.schedule)
        link(.data, extras.data)
        link(.raw, raw)
        warnings(lint)
        view.close()
        return view.finish()
    }

    private func text(_ field: MessageField, _ draft: borrowing MessageDraft) {
        guard let text = draft[field] else { return }
        view.key(field.name)
        view.string(text)
    }

    private func flag(_ field: MessageField, _ value: Bool) {
        view.key(field.name)
        view.bool(value)
    }

    private func number(_ field: MessageField, _ value: Int64?) {
        guard let value else { return }
        view.key(field.name)
        view.integer(value)
    }

    private func link(_ field: MessageField, _ value: JSONValue?) {
        guard let value else { return }
        view.key(field.name)
        view.link(value)
    }

    private func instant(_ field: MessageField, _ value: Instant?) {
        guard let value else { return }
        view.key(field.name)
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Instant.maxTextLength) { buffer in
            guard let start = buffer.baseAddress else { return }
            view.string(copying: JSONText(start: start, count: value.write(into: start)))
        }
    }

    private func sound(_ sound: Sound?) {
        guard let sound else { return }
        view.key(MessageField.sound.name)
        view.open(.object)
        view.key("name")
        view.string(sound.name)
        view.key("critical")
        view.bool(sound.critical)
        if let volume = sound.volumeSource {
            view.key("volume")
            view.link(volume)
        }
        view.close()
    }

    private func schedule(_ schedule: Schedule) {
        guard schedule.from != nil || schedule.to != nil else { return }
        view.key(MessageField.scheduled.name)
        view.open(.object)
        if let from = schedule.from {
            view.key("from")
            view.string(from)
        }
        if let to = schedule.to {
            view.key("to")
            view.string(to)
        }
        view.close()
    }

    private func warnings(_ lint: [Warning]) {
        view.key(MessageField.lint.name)
        view.open(.array)
        for warning in lint {
            view.open(.object)
            view.key("code")
            view.string(warning.code.rawValue)
            view.key("path")
            view.string(warning.path)
            view.key("message")
            view.string(warning.message)
            if let hint = warning.hint {
                view.key("hint")
                view.string(hint)
            }
            view.close()
        }
        view.close()
    }
}
