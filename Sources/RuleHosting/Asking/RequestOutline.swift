// Where a request has its parts, found before anything in it is read. Whoever cuts lines needs one word of each to know whose it is, and
// hands on what else it has found, so that the app's shard need not look for it again. Reads nothing, and says nothing of what is wrong.
import JSONDocument

public struct RequestOutline: Sendable {
    /// In the bytes of the body.
    struct Part: Sendable {
        let start, count: UInt32
    }

    private(set) var message, device, event: Part?

    /// - Returns: the app that it names, when it names one as most do; and its parts, when it has a message and no members but those that
    ///   most requests have, each once.
    public static func of(_ body: [UInt8]) -> (app: String?, parts: RequestOutline?) {
        body.withText { text in
            var reading = Reading()
            guard JSONOutline.members(of: text, { reading.take($0) }) else { return (nil, nil) }
            return (reading.isNamed ? reading.app?.string : nil, reading.isUsual && reading.parts.message != nil ? reading.parts : nil)
        }
    }

    private struct Reading {
        var app: JSONText?
        /// Nobody but `app` is the name of the app, and it is there once.
        var isNamed = true
        var isUsual = true
        var parts = RequestOutline()

        /// - Returns: whether the rest is worth a look.
        mutating func take(_ member: UnreadMember) -> Bool {
            if member.key == "message" {
                isUsual = Reading.put(member, into: &parts.message) && isUsual
            } else if member.key == "device" {
                isUsual = Reading.put(member, into: &parts.device) && isUsual
            } else if member.key == "event" {
                isUsual = Reading.put(member, into: &parts.event) && isUsual
            } else if member.key == "app" {
                if app != nil { isNamed = false }
                app = member.plainText
                if app == nil { (isNamed, isUsual) = (false, false) }
            } else {
                isUsual = false
                // It may be `app` after all.
                if member.key.bytes.contains(UInt8(ascii: "\\")) { isNamed = false }
            }
            return isNamed || isUsual
        }

        /// Whether it is the first one. What is null is as if it were not there, which the other way knows.
        private static func put(_ member: UnreadMember, into part: inout Part?) -> Bool {
            guard part == nil, member.value != "null" else { return false }
            part = Part(start: UInt32(member.start), count: UInt32(member.value.count))
            return true
        }
    }
}

extension JSONText {
    /// A part of a body that is this text.
    func part(_ part: RequestOutline.Part) -> JSONText {
        JSONText(start: bytes.baseAddress.map { $0 + Int(part.start) }, count: Int(part.count))
    }
}
