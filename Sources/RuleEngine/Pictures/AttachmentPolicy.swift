// Which pictures, sounds and films are attached: over https only, of the kinds a phone shows, small enough and in time.
// Before one is fetched it is judged by the type that the rule gave or, without one, by the end of the address, never by a
// path inside a type; afterwards by what came.

import PushMessage

enum AttachmentPolicy {
    enum Verdict: Equatable, Sendable {
        /// The kind is nil while nobody knows it: an address need not end in it.
        case allowed(AttachmentKind?)
        case invalid
        case insecure
        /// The type, as it was given, as the address ends, or as the content is.
        case unknownType(String)
        /// With a word on why.
        case unreachable(String)
        case late
        case tooLarge(bytes: Int?, AttachmentKind?)
    }

    static func verdict(on attachment: Content.Attachment, fetched: FetchedAttachment? = nil) -> Verdict {
        guard let address = Address(attachment.url), address.isWeb, address.host != nil else { return .invalid }
        guard address.scheme == "https" else { return .insecure }
        var kind: AttachmentKind?
        if let type = attachment.type {
            kind = AttachmentKind(type: type)
            if kind == nil { return .unknownType(type) }
        }
        if let fetched {
            let found = verdict(on: fetched, expected: kind)
            guard found == .allowed(nil) else { return found }
        }
        // An address that does not end in a type may still be a picture: it shows when it is fetched.
        guard kind == nil, let ending = ending(of: attachment.url) else { return .allowed(kind) }
        return AttachmentKind(type: ending) == nil ? .unknownType(ending) : .allowed(nil)
    }

    /// What came has the last word, also on what it is.
    private static func verdict(on fetched: FetchedAttachment, expected: AttachmentKind?) -> Verdict {
        switch fetched.failure {
        case .timeout: return .late
        case .unreachable: return .unreachable(fetched.detail ?? "it cannot be reached")
        case .truncated: return .unreachable(fetched.detail ?? "it ends in the middle")
        case .privateAddress: return .unreachable(fetched.detail ?? "it leads into a private network")
        case .insecureRedirect: return .insecure
        case .tooLarge: return .tooLarge(bytes: fetched.bytes, fetched.type.flatMap { AttachmentKind(type: $0) } ?? expected)
        case nil: break
        }
        if let status = fetched.status, !(200...299).contains(status) { return .unreachable("the server answers \(status)") }
        if let seconds = fetched.seconds, seconds > Double(FetchedAttachment.budget) { return .late }
        if fetched.bytes == 0 { return .unreachable("it is empty") }
        var kind = expected
        if let type = fetched.type {
            kind = AttachmentKind(type: type)
            if kind == nil { return .unknownType(type) }
        }
        if let bytes = fetched.bytes, bytes > kind?.largest ?? AttachmentKind.largestOfAll { return .tooLarge(bytes: bytes, kind) }
        return .allowed(kind)
    }

    /// What stands after the last dot of the last step of the path, in lower case.
    private static func ending(of url: String) -> String? {
        let afterScheme = url.utf8.drop { $0 != UInt8(ascii: ":") }.dropFirst(3)
        let path = afterScheme.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        let steps = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard steps.count > 1, let last = steps.last, let dot = last.lastIndex(of: UInt8(ascii: ".")) else { return nil }
        let ending = last[last.index(after: dot)...]
        guard (1...5).contains(ending.count) else { return nil }
        return String(decoding: ending, as: UTF8.self).lowercased()
    }
}

extension AttachmentPolicy.Verdict {
    /// nil: it is attached. Else the warning, and what is wrong, after "the attachment".
    var objection: (code: WarningCode, why: String)? {
        switch self {
        case .allowed: nil
        case .invalid: (.invalidURL, "is not an absolute https address")
        case .insecure: (.insecureURL, "is not fetched over https")
        case .unknownType(let type): (.attachmentType, "is of a kind that phones do not show: \(type.shortened)")
        case .unreachable(let why): (.attachmentUnreachable, "cannot be fetched: \(why.shortened)")
        case .late:
            (.attachmentTimeout, "did not come within the \(FetchedAttachment.budget) seconds that there are for it (timeout)")
        case .tooLarge(let bytes, let kind):
            (
                .attachmentTooLarge,
                "is too large" + (bytes.map { ": \($0.grouped) bytes" } ?? "") + "; at most "
                    + (kind?.largest ?? AttachmentKind.largestOfAll).grouped + (kind.map { " are taken of a \($0.noun)" } ?? " are taken")
            )
        }
    }
}
