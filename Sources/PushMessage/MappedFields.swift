// The app's own field map: tried before the known places, path by path, until one holds the right type.
import JSONDocument

/// JSON that stands as text inside a message, read once for all paths into it and kept as long as the message.
struct InnerDocuments {
    private var documents: [JSONDocument] = []
    private var offsets: [Int] = []

    mutating func reset() { offsets.removeAll(keepingCapacity: true) }

    /// The value that a text holds as JSON; nil when it holds none. `offset` names the text.
    mutating func value(of text: JSONText, at offset: Int) -> JSONValue? {
        if let place = offsets.firstIndex(of: offset) { return documents[place].root }
        if documents.count == offsets.count { documents.append(JSONDocument()) }
        let document = documents[offsets.count]
        offsets.append(offset)
        do {
            try document.read(text)
        } catch {
            return nil
        }
        return document.root
    }
}

extension MessageDraft {
    mutating func readMapped(_ map: FieldMap, in roots: [JSONValue], _ inner: inout InnerDocuments) {
        for entry in map.entries {
            for path in entry.paths where !isFilled(entry.field) {
                for root in roots where !isFilled(entry.field) { readMapped(entry.field, path, in: root, &inner) }
            }
            if isFilled(entry.field) { markMapped(entry.field) }
        }
    }

    private mutating func readMapped(
        _ field: MessageField, _ path: FieldPath, in root: JSONValue, _ inner: inout InnerDocuments
    ) {
        guard let found = path.find(in: root), !found.isNull else { return }
        guard path.innerSteps != nil else { return offerMapped(found, as: field) }
        guard let text = found.text else {
            guard found.isObject || found.isArray else {
                return wrongType(found, expected: "a text that holds JSON, or an object")
            }
            if let value = path.findInner(in: found) { offerMapped(value, as: field) }
            return
        }
        guard !text.isEmpty else { return }
        guard let value = inner.value(of: text, at: found.offset) else {
            return note(
                .fieldMapJSON, found, "The app's field map looks for JSON in this text, and it is none.",
                hint: "send valid JSON text here, or drop `json:` from the path in app.lua")
        }
        guard let mapped = path.findInner(in: value), !mapped.isNull else { return }
        within(found, path: path.text) { draft in draft.offerMapped(mapped, as: field) }
    }

    /// A value of whatever type the field has.
    private mutating func offerMapped(_ value: JSONValue, as field: MessageField) {
        switch field {
        case .id: offerID(value)
        case .badge: offerBadge(value)
        case .sound: offerSound(value)
        case .image: offerImage(value)
        case .link: offerLink(value)
        case .topic: offerTopic(value, prefixIsNormal: true)
        case .condition: offerCondition(value)
        case .priority: offerPriority(value)
        case .interruptionLevel: offerInterruptionLevel(value)
        case .ttl: offerSeconds(value)
        case .sentAt, .expiresAt:
            if value.text.map({ Instant($0) != nil }) == true {
                offerTimestamp(value, as: field)
            } else {
                offerUnixSeconds(value, as: field)
            }
        case .relevance:
            guard let number = value.double else { return wrongType(value, expected: "a number from 0 to 1") }
            guard number >= 0, number <= 1 else { return relevanceOutOfRange(value) }
            relevance = value
            mark(.relevance, value)
        case .loc: offerLoc(value)
        case .contentAvailable, .mutableContent: offerFlag(value, as: field)
        case .title, .subtitle, .body, .channel, .thread, .category, .collapse, .recipient, .account, .pushType,
            .targetContentID, .filter:
            offerText(value, as: field)
        case .idGenerated, .format, .silent, .scheduled, .data, .raw, .lint: break
        }
    }

    /// An object with the members that `loc` has itself.
    private mutating func offerLoc(_ value: JSONValue) {
        guard value.isObject else { return wrongType(value, expected: "an object with title_key, body_key and the like") }
        loc.titleKey = value["title_key"].flatMap { locKey($0) }
        loc.titleArguments = value["title_args"].flatMap { locArguments($0, textToo: true) }
        loc.subtitleKey = value["subtitle_key"].flatMap { locKey($0) }
        loc.subtitleArguments = value["subtitle_args"].flatMap { locArguments($0, textToo: true) }
        loc.bodyKey = value["body_key"].flatMap { locKey($0) }
        loc.bodyArguments = value["body_args"].flatMap { locArguments($0, textToo: true) }
        if loc.first != nil { mark(.loc, value) }
    }
}
