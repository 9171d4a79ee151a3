// Push messages in every format, made from a seed: the same ones on every run and every machine. Called by the test of
// sameness; nothing in here depends on hashing or on the order of a dictionary.

struct GeneratedMessages {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    /// - Returns: one JSON object a line, none with a line break.
    static func lines(_ count: Int, seed: UInt64) -> [String] {
        var messages = GeneratedMessages(seed: seed)
        return (0..<count).map { messages.message($0) }
    }

    private mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    private mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }

    private mutating func one(of texts: [String]) -> String { texts[below(texts.count)] }

    private mutating func message(_ number: Int) -> String {
        // Every ninth repeats an id from before.
        let id = "m-\(number % 9 == 8 ? number / 2 : number)"
        let title = text()
        let body = text()
        let data = self.data()
        let texts = below(8) == 0 ? "" : #""alert":{"title":\#(title),"body":\#(body)},"#
        let silent = below(3) == 0 ? #""content-available":1,"# : ""
        let mutable = below(4) == 0 ? #""mutable-content":1,"# : ""
        let aps = #"{\#(texts)\#(silent)\#(mutable)"badge":\#(below(9)),"sound":"default"}"#
        switch below(7) {
        case 0: return #"{"aps":\#(aps),"message_id":"\#(id)",\#(data)}"#
        case 1: return #"{"headers":{"apns-id":"\#(id)","apns-priority":"5"},"payload":{"aps":\#(aps),\#(data)}}"#
        case 2: return #"{"aps":\#(aps),"gcm.message_id":"\#(id)","google.c.a.e":"1",\#(data)}"#
        case 3:
            return
                #"{"message":{"token":"t","notification":{"title":\#(title),"body":\#(body)},"data":{\#(data),"message_id":"\#(id)"},"apns":{"payload":{"aps":\#(aps)}}}}"#
        case 4:
            return
                #"{"to":"t","notification":{"title":\#(title),"badge":"\#(below(9))"},"data":{\#(data),"message_id":"\#(id)"},"content_available":\#(below(2) == 0)}"#
        case 5:
            return #"{"specversion":"1.0","type":"push","id":"\#(id)","data":{"aps":\#(aps),\#(data)}}"#
        default: return #"{"headline":\#(title),"message_id":"\#(id)","data":{"extra":"{\"title\":\"inner\"}"},\#(data)}"#
        }
    }

    private mutating func text() -> String {
        let words = ["Lunch", "at noon?", "어디야?", "🚆 7:40", "Zürich", "ıİ", "\\u00e9\\u0301", "naïve", "\\\"so\\\"", "…", "a", "B"]
        let count = 1 + below(5)
        return "\"" + (0..<count).map { _ in one(of: words) }.joined(separator: " ") + "\""
    }

    private mutating func data() -> String {
        let channel = one(of: ["chat", "offers", "news", "alarm", "letters", "lottery"])
        var members = [#""channel":"\#(channel)""#]
        let names = ["room", "order", "zeta", "alpha", "Mitte", "9", "10", "ключ", "link", "account"]
        let values = [#""room-\#(below(5))""#, "\(below(100))", "9007199254740993", "1.50", "true", #"{"b":1,"a":[2,{"c":null}]}"#, #""""#]
        for name in names where below(3) == 0 {
            switch name {
            case "link":
                let link = one(of: ["shop://a", "https://x.example.com/a", "https://evil.org", "javascript:1"])
                members.append(#""link":"\#(link)""#)
            case "account": members.append(#""account":"\#(one(of: ["u-1", "u-2"]))""#)
            default: members.append(#""\#(name)":\#(one(of: values))"#)
            }
        }
        return members.joined(separator: ",")
    }
}
