// Reads one message after the other: bytes → document → format → fields → tape. Owns the memory that a message's
// texts stand in and uses it again for the next one. One thread at a time.
import JSONDocument

public final class MessageReader {
    private let fields: FieldMap
    private let links: LinkOrder
    private let document = JSONDocument(vocabulary: Word.vocabulary)
    private let tape = MessageTape()
    private var inner = InnerDocuments()
    private(set) var draft = MessageDraft()
    private(set) var lint: [Warning] = []
    private var hashed = JSONWriter(reserving: 1024)

    /// The places that may hold a link, in the order in which they are tried.
    public static let linkOrder = LinkOrder.known

    /// - Parameters:
    ///   - fields: an app's own places, tried before the known ones.
    ///   - links: an app's order of the places that may hold a link; nil is `MessageReader.linkOrder`.
    public init(fields: FieldMap = .none, links: [String]? = nil) {
        self.fields = fields
        self.links = LinkOrder(links)
    }

    /// Reads a message; the one before becomes invalid.
    /// - Parameters:
    ///   - forced: read it as this format, whatever its shape.
    ///   - limit: bytes.
    public func read(
        _ bytes: UnsafeRawBufferPointer, as forced: MessageFormat? = nil, for recipient: RecipientContext = .init(),
        limit: Int = 65_536
    ) throws(MessageFault) -> Message {
        do throws(JSONFault) {
            try document.read(bytes, limit: limit)
        } catch {
            throw MessageFault(error)
        }
        guard let root = document.root else { throw MessageFault.outOfMemory }
        guard root.isObject else { throw MessageFault.notAnObject(root, in: document.source) }
        inner.reset()
        tape.reset()
        return try normalise(root, as: forced, for: recipient, in: &draft)
    }

    public func read(
        _ bytes: [UInt8], as forced: MessageFormat? = nil, for recipient: RecipientContext = .init(), limit: Int = 65_536
    ) throws(MessageFault) -> Message {
        try bytes.withUnsafeBufferPointer { (bytes) throws(MessageFault) in
            try read(UnsafeRawBufferPointer(bytes), as: forced, for: recipient, limit: limit)
        }
    }

    /// One access to the draft for the whole of a message.
    private func normalise(
        _ root: JSONValue, as forced: MessageFormat?, for recipient: RecipientContext, in draft: inout MessageDraft
    ) throws(MessageFault) -> Message {
        readFields(of: root, as: forced, for: recipient, in: &draft)
        draft.lintDocument(document, root)
        draft.settle(links, recipient, root)
        return try finish(root, &draft)
    }

    /// The app's field map first, then what the format defines.
    private func readFields(
        of root: JSONValue, as forced: MessageFormat?, for recipient: RecipientContext, in draft: inout MessageDraft
    ) {
        let format = forced ?? FormatRecognition.format(of: root)
        var message = root
        var carried = format
        // A CloudEvent may carry another; the document's depth bounds how many.
        while carried == .cloudevent, let data = message.member(.data), data.isObject {
            message = data
            carried = FormatRecognition.format(of: data)
        }
        draft.begin(format: format, inner: carried, platform: recipient.platform)
        if !fields.isEmpty { draft.readMapped(fields, in: roots(root, message), &inner) }
        if format == .cloudevent { draft.readEnvelope(root) }
        switch carried {
        case .apns: draft.readApple(message)
        case .iosUserinfo: draft.readUserInfo(message)
        case .fcmV1: draft.readFCM(message, source: document.source)
        case .fcmLegacy: draft.readLegacy(message, source: document.source)
        case .unknown: draft.readUnknown(message)
        case .cloudevent: draft.size = PayloadSize(bytes: message.sourceLength)
        }
    }

    /// Where paths of the field map begin: the input, then the message inside an envelope.
    private func roots(_ root: JSONValue, _ message: JSONValue) -> [JSONValue] {
        var roots = [root]
        if !message.isSame(as: root) { roots.append(message) }
        if message.member(.aps) == nil, let payload = message.member(.payload), payload.member(.aps) != nil {
            roots.append(payload)
        }
        return roots
    }

    /// What needs the whole: the phone's data, the id of a message without one, the lint, the tape.
    private func finish(_ root: JSONValue, _ draft: inout MessageDraft) throws(MessageFault) -> Message {
        let arguments = draft.locArguments(&inner)
        guard let extras = tape.buildExtras(draft, source: document.source, loc: arguments) else {
            throw MessageFault.outOfMemory
        }
        if draft[.id] == nil {
            draft.isIDGenerated = true
            draft.set(.id, tape.keep(ContentHash.digest(of: draft, extras, with: &hashed).text))
        }
        lint = draft.lint.isEmpty ? [] : draft.lint.warnings(in: root)
        guard let view = tape.buildView(draft, extras, raw: root, lint: lint) else { throw MessageFault.outOfMemory }
        return Message(reader: self, view: view, extras: extras, raw: root)
    }

    func contentDigest(_ extras: MessageTape.Extras) -> ContentDigest {
        ContentHash.digest(of: draft, extras, with: &hashed)
    }

    /// The text that the message was read from.
    var source: JSONText { document.source }
}
