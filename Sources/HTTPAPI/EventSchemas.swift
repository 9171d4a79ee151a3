// The shapes of events for the description of the routes: for each name its details, as exactly as they are taken, so that a program
// that is made from the description sends none that is refused. Used by OpenAPISchemas.
import RuleEngine

enum EventSchemas {
    static let any = bytes(of: EventName.allCases)

    /// Those that need no message.
    static let withoutMessage = bytes(of: EventName.allCases.filter { !Event($0).needsMessage })

    private static func bytes(of names: [EventName]) -> [UInt8] {
        let plain = names.map { "\"\($0.rawValue)\"" }.joined(separator: ",")
        let details = names.map { name in
            "{\"type\":\"object\",\"properties\":{\"name\":{\"const\":\"\(name.rawValue)\"}\(members(of: name))}\(rest(of: name))}"
        }
        return Array(("{\"anyOf\":[{\"enum\":[" + plain + "]}," + details.joined(separator: ",") + "]}").utf8)
    }

    private static let text = #"{"type":["string","null"]}"#

    private static let number = #"{"type":["integer","null"],"minimum":0,"maximum":1099511627776}"#
    static let fetched = Array(
        (#"{"type":"object","properties":{"url":{"type":"string"},"status":"# + number + #","bytes":"# + number
            + #","seconds":{"type":["number","null"],"minimum":0},"type":"# + text + #","detail":"# + text
            + #","error":{"enum":["unreachable","timeout","truncated","too_large","insecure_redirect","private_address",null]}},"#
            + #""required":["url"],"additionalProperties":false}"#).utf8)

    private static func members(of name: EventName) -> String {
        switch name {
        case .send, .receive, .present, .open, .resume: ""
        // What was fetched of its attachments.
        case .enrich:
            ##","fetched":{"anyOf":[{"$ref":"#/components/schemas/Fetched"},{"type":"array","items":{"$ref":"#/components/schemas/Fetched"}},{"type":"null"}]}"##
        case .account: #","op":{"enum":["login","logout","switch"]},"account":"# + text + #","previous":"# + text
        case .token: #","kind":{"enum":["apns","fcm"]},"value":{"type":"string","minLength":1}"#
        case .settings:
            ##","changed":{"anyOf":[{"$ref":"#/components/schemas/EventChanged"},{"type":"null"}]},"reset":{"type":["boolean","null"]}"##
        case .due: #","deferred_id":"# + text + #","attempt":{"type":["integer","null"],"minimum":1,"maximum":2147483647}"#
        }
    }

    /// A switch at least.
    static let changedSwitches = Array(
        ##"{"type":"object","anyOf":[{"properties":{"app_push":{"type":"boolean"}},"required":["app_push"]},{"properties":{"channels":{"$ref":"#/components/schemas/ChangedChannels"}},"required":["channels"]}]}"##
            .utf8)
    static let changedChannels = Array(#"{"type":"object","propertyNames":{"minLength":1,"maxLength":32}}"#.utf8)

    private static func rest(of name: EventName) -> String {
        switch name {
        case .send, .receive, .present, .open, .resume, .enrich, .due: #","required":["name"]"#
        case .account: #","required":["name","op"]"#
        case .token: #","required":["name","kind","value"]"#
        case .settings:
            ##","required":["name"],"anyOf":[{"properties":{"reset":{"const":true}},"required":["reset"]},{"properties":{"changed":{"$ref":"#/components/schemas/ChangedSwitches"}},"required":["changed"]}]"##
        }
    }
}
