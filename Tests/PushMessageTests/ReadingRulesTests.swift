// Rules of reading that are easily got wrong, each with the message that shows it.
import JSONDocument
import PushMessage
import Testing

@Suite("Reading")
struct ReadingRulesTests {
    /// The normalised message as JSON text of some fields.
    private func fields(
        _ names: [String], of text: String, as format: MessageFormat? = nil, platform: Platform = .ios
    ) throws -> [String: String] {
        let reader = MessageReader()
        let message = try reader.read(Array(text.utf8), as: format, for: RecipientContext(platform: platform))
        var found: [String: String] = [:]
        for name in names {
            var writer = JSONWriter()
            guard let value = message.view[name] else { continue }
            writer.value(value)
            found[name] = String(decoding: writer.bytes, as: UTF8.self)
        }
        return found
    }

    @Test("ids keep every digit, and 1, \"1\", true and 1.0 stay four values")
    func digits() throws {
        let text = #"{"aps":{"alert":"x"},"message_id":12345678901234567890,"a":1,"b":"1","c":true,"d":1.0,"e":1e2,"f":9007199254740993}"#
        let found = try fields(["id", "data"], of: text)
        #expect(found["id"] == "\"12345678901234567890\"")
        #expect(
            found["data"]
                == #"{"message_id":12345678901234567890,"a":1,"b":"1","c":true,"d":1.0,"e":1e2,"f":9007199254740993}"#)
    }

    @Test("FCM data arrives as text: numbers by their digits, objects as JSON without white space")
    func fcmData() throws {
        let text = #"{"to":"t","data":{"n":1.50,"o":{ "a" : [ 1, "x y" ] },"t":true,"z":null,"s":"é\u0041","google.x":"1","from":"me"}}"#
        #expect(try fields(["data"], of: text)["data"] == #"{"n":"1.50","o":"{\"a\":[1,\"x y\"]}","t":"true","s":"éA","from":"me"}"#)
    }

    @Test("Apple's custom keys join FCM's data, keep their types and win; Android gets its own data alone")
    func joinedData() throws {
        let text =
            #"{"message":{"token":"t","data":{"a":"1","b":"2"},"android":{"data":{"c":"3"}},"apns":{"payload":{"aps":{"alert":"x"},"b":5,"d":{"e":null}}}}}"#
        #expect(try fields(["data"], of: text)["data"] == #"{"a":"1","b":5,"d":{"e":null}}"#)
        #expect(try fields(["data"], of: text, platform: .android)["data"] == #"{"c":"3"}"#)
    }

    @Test("on Android the notification speaks, not Apple's alert")
    func androidText() throws {
        let text = #"{"message":{"token":"t","notification":{"title":"N","body":"B"},"apns":{"payload":{"aps":{"alert":{"title":"A"}}}}}}"#
        #expect(try fields(["title", "body"], of: text) == ["title": "\"A\"", "body": "\"B\""])
        #expect(try fields(["title", "body"], of: text, platform: .android) == ["title": "\"N\"", "body": "\"B\""])
    }

    @Test("loc keys are an alert, and legacy lists of arguments may be JSON text")
    func loc() throws {
        let text =
            #"{"to":"t","notification":{"body_loc_key":"K","body_loc_args":"[\"a\", 1]","title_loc_key":"T","title_loc_args":["b"]}}"#
        #expect(
            try fields(["loc", "silent"], of: text) == [
                "loc": #"{"title_key":"T","title_args":["b"],"body_key":"K","body_args":["a",1]}"#, "silent": "false",
            ])
    }

    @Test("the field map goes before the known places, reads JSON inside texts and takes the longest key first")
    func fieldMap() throws {
        let map = FieldMap([
            (field: "title", paths: [try FieldPath(parsing: "json:data.message|title"), try FieldPath(parsing: "title")]),
            (field: "account", paths: [try FieldPath(parsing: "data.a.b")]),
            (field: "badge", paths: [try FieldPath(parsing: "json:data.message|counts[1].n")]),
        ])
        let text =
            #"{"content_available":true,"to":"t","data":{"message":"{\"title\":\"T\",\"counts\":[0,{\"n\":4}]}","a":{"b":"no"},"a.b":"yes"}}"#
        let message = try MessageReader(fields: map).read(Array(text.utf8))
        #expect(message.title?.string == "T")
        #expect(message.badge == 4)
        #expect(message.account?.string == "yes")
        #expect(message.silent, "a title that only the field map found does not make an alert")
        let sources = message.sources.map { "\($0.field)=\($0.path)" }
        #expect(
            sources == [
                "title=json:data.message|title", "badge=json:data.message|counts[1].n", "account=data[\"a.b\"]",
                "content_available=content_available",
            ])
    }

    @Test("an unknown format does not ask for a field map that is there and has found something")
    func mappedUnknownFormat() throws {
        let text = Array(#"{"headline":"hi"}"#.utf8)
        let reader = MessageReader(fields: FieldMap([(field: "title", paths: [try FieldPath(parsing: "headline")])]))
        let warning = try #require(try reader.read(text).lint.first { $0.code == .unknownFormat })
        #expect(warning.hint?.contains("app.lua") == false)
        let other = MessageReader(fields: FieldMap([(field: "title", paths: [try FieldPath(parsing: "nothing")])]))
        #expect(try other.read(text).lint.first { $0.code == .unknownFormat }?.hint?.contains("in app.lua") == true)
    }

    @Test("a value of the wrong type is lint, and the next path is tried")
    func wrongTypeInMap() throws {
        let map = FieldMap([
            (field: "channel", paths: [try FieldPath(parsing: "kind"), try FieldPath(parsing: "other")])
        ])
        let message = try MessageReader(fields: map).read(Array(#"{"aps":{},"kind":5,"other":"promo"}"#.utf8))
        #expect(message.channel?.string == "promo")
        #expect(message.lint.map { "\($0.code.rawValue) \($0.path)" } == ["wrong_type kind"])
    }

    @Test("keys for translation may be mapped, and a relevance out of range is not taken from anywhere")
    func mappedObjects() throws {
        let map = FieldMap([
            (field: "loc", paths: [try FieldPath(parsing: "words")]), (field: "relevance", paths: [try FieldPath(parsing: "weight")]),
        ])
        let reader = MessageReader(fields: map)
        let message = try reader.read(
            Array(#"{"aps":{"relevance-score":0.5},"words":{"body_key":"K","body_args":["a"],"title_key":7},"weight":3}"#.utf8))
        #expect(message.view["loc"]?["body_key"]?.text?.string == "K")
        #expect(message.view["loc"]?.count == 2 && message.relevance == 0.5)
        #expect(message.sources.contains { $0.field == "loc" && $0.path == "words" })
        #expect(
            message.lint.map { "\($0.code.rawValue) \($0.path)" } == ["wrong_type words.title_key", "relevance_range weight"])
        #expect(message.silent == false && !message.hasAlert && !message.hasNoText)
    }

    @Test("a picture is found where the phone sees it, in a v1 message and beside headers")
    func pictures() throws {
        let reader = MessageReader()
        func source(_ text: String) throws -> String? {
            try reader.read(Array(text.utf8)).sources.first { $0.field == "image" }?.path
        }
        #expect(
            try source(
                #"{"message":{"token":"t","notification":{"body":"b","image":"https://a/1"},"apns":{"payload":{"aps":{},"fcm_options":{"image":"https://a/2"}}}}}"#
            )
                == "message.apns.payload.fcm_options.image")
        #expect(
            try source(
                #"{"message":{"token":"t","apns":{"payload":{"aps":{},"fcm_options":{"image":"https://a/2"}},"fcm_options":{"image":"https://a/3"}}}}"#
            )
                == "message.apns.fcm_options.image")
        #expect(
            try source(#"{"headers":{},"payload":{"aps":{},"fcm_options":{"image":"https://a/2"}}}"#) == "payload.fcm_options.image")
    }

    @Test("the first valid link of the order counts, and an app may change the order")
    func links() throws {
        let text = #"{"aps":{"alert":"x"},"url":"https://b.example","link":"{{broken}}","custom":{"u":"app://c"},"promo":"app://p"}"#
        let message = try MessageReader().read(Array(text.utf8))
        #expect(message.link?.string == "https://b.example")
        #expect(message.lint.map { "\($0.code.rawValue) \($0.path)" } == ["invalid_link link"])
        let own = try MessageReader(links: ["promo", "custom.u"]).read(Array(text.utf8))
        #expect(own.link?.string == "app://p" && own.lint.isEmpty)
        let nested = try MessageReader(links: ["custom.u"]).read(Array(text.utf8))
        #expect(nested.sources.contains { $0.field == "link" && $0.path == "custom.u" })
    }

    @Test(
        "a link is absolute, without spaces, controls and templates, and at most 2048 bytes",
        arguments: [
            ("app://chat/1", true), ("https://例え.jp/道", true), ("mailto:a@b.example", true), ("/url.html", false),
            ("app:", false), ("://x", false), ("1a://x", false), ("https://a b", false), ("https://a/{id}", false),
            ("https://a/\u{7F}", false), ("https://a/\u{A0}b", false),
            ("x:" + String(repeating: "a", count: 2046), true), ("x:" + String(repeating: "a", count: 2047), false),
        ])
    func linkSyntax(_ link: String, _ isValid: Bool) throws {
        var writer = JSONWriter()
        writer.string(link)
        let text = #"{"aps":{"alert":"x"},"link":"# + String(decoding: writer.bytes, as: UTF8.self) + "}"
        let reader = MessageReader()
        let message = try reader.read(Array(text.utf8))
        #expect(message.link?.string == (isValid ? link : nil))
    }

    @Test(
        "a badge is a whole number from 0 to 2147483647",
        arguments: [
            ("0", 0), ("2147483647", 2_147_483_647), ("\"12\"", 12), ("2147483648", nil), ("-1", nil), ("1.0", nil),
            ("1e1", nil), ("\"1.5\"", nil), ("\"-1\"", nil), ("\"\"", nil), ("true", nil), ("null", nil),
            ("99999999999999999999", nil),
        ] as [(String, Int?)])
    func badge(_ json: String, _ value: Int?) throws {
        let message = try MessageReader().read(Array("{\"aps\":{\"alert\":\"x\",\"badge\":\(json)}}".utf8))
        #expect(message.badge == value)
    }

    @Test(
        "a sound has a name and says whether it is critical",
        arguments: [
            (#""ping.caf""#, #"{"name":"ping.caf","critical":false}"#), (#"{}"#, #"{"name":"default","critical":false}"#),
            (#"{"name":"a","critical":true,"volume":1}"#, #"{"name":"a","critical":true,"volume":1}"#),
            (#"{"name":"a","critical":"0","volume":1.5}"#, #"{"name":"a","critical":false}"#),
            (#""none""#, nil), (#""""#, nil), ("null", nil), ("5", nil),
        ] as [(String, String?)])
    func sound(_ json: String, _ value: String?) throws {
        #expect(try fields(["sound"], of: "{\"aps\":{\"alert\":\"x\",\"sound\":\(json)}}")["sound"] == value)
    }

    @Test("times: an absolute end, a time to live from when it was sent, and 0 for now or never")
    func times() throws {
        let names = ["ttl", "sent_at", "expires_at"]
        #expect(
            try fields(names, of: #"{"headers":{"apns-expiration":"1767268800"},"payload":{"aps":{"alert":"x"}}}"#)
                == ["expires_at": "\"2026-01-01T12:00:00Z\""])
        #expect(
            try fields(names, of: #"{"headers":{"apns-expiration":"0"},"payload":{"aps":{"alert":"x"}}}"#) == ["ttl": "0"])
        #expect(
            try fields(names, of: #"{"aps":{"alert":"x"},"google.c.a.ts":"1767268800","gcm.ttl":"60"}"#) == [
                "ttl": "60", "sent_at": "\"2026-01-01T12:00:00Z\"", "expires_at": "\"2026-01-01T12:01:00Z\"",
            ])
        #expect(
            try fields(names, of: #"{"message":{"token":"t","android":{"ttl":"3.5s"},"data":{}}}"#) == ["ttl": "3"])
    }

    @Test("an event's message is read by its own shape; id and time are the event's, and paths begin at the event")
    func cloudEvent() throws {
        let text =
            #"{"specversion":"1.0","type":"push","source":"s","id":"e-1","time":"2026-01-01T12:00:00.250+09:00","data":{"message":{"token":"t","notification":{"body":"B"},"data":{"n":1}}}}"#
        let message = try MessageReader().read(Array(text.utf8))
        #expect(message.format == .cloudevent && message.id.string == "e-1" && message.body?.string == "B")
        #expect(message.view["sent_at"]?.text?.string == "2026-01-01T03:00:00.250Z")
        #expect(message.lint.map(\.path) == ["data.message.data.n"])
        #expect(message.sources.map(\.path) == ["id", "data.message.notification.body", "time"])
    }

    @Test("a carrier is silent whatever its aps says, and keeps its text for later")
    func carrier() throws {
        let text =
            #"{"aps":{"alert":"now","content-available":1},"google.c.cm.lt_start":"2026-01-01 10:00:00","google.c.cm.lt_end":"2026-01-01 25:00:00","gcm.notification.title":"T","gcm.message_id":"1"}"#
        let message = try MessageReader().read(Array(text.utf8))
        #expect(message.silent && message.isCarrier)
        #expect(message.title?.string == "T" && message.body?.string == "now")
        #expect(try fields(["scheduled"], of: text)["scheduled"] == #"{"from":"2026-01-01 10:00:00"}"#)
        #expect(message.lint.map(\.code) == [.scheduleInvalid])
        #expect(Journey.events(for: message, state: .background, platform: .ios) == [.receive])
    }

    @Test("the flags of a message count in their own spelling and place only")
    func flags() throws {
        let silent: [(String, Bool)] = [
            (#"{"aps":{"content-available":1}}"#, true), (#"{"aps":{"content-available":"1"}}"#, true),
            (#"{"aps":{"content-available":true}}"#, true), (#"{"aps":{"content-available":"true"}}"#, false),
            (#"{"aps":{"content-available":2}}"#, false), (#"{"aps":{"content_available":1}}"#, false),
            (#"{"aps":{"contentAvailable":1}}"#, false), (#"{"aps":{},"content-available":1}"#, false),
            (#"{"to":"t","content_available":true}"#, true), (#"{"to":"t","content-available":true}"#, false),
            (#"{"to":"t","notification":{"content_available":true}}"#, false),
            (#"{"aps":{"content-available":1,"alert":""}}"#, true), (#"{"aps":{"content-available":1,"alert":"x"}}"#, false),
            (#"{"aps":{"content-available":1,"badge":3,"sound":"x"}}"#, true),
        ]
        for (text, isSilent) in silent { #expect(try MessageReader().read(Array(text.utf8)).silent == isSilent, "\(text)") }
    }

    @Test("the text of a message is a view of what was read: emoji, right-to-left and combining marks stay bytes")
    func bytes() throws {
        let body = "👩‍👩‍👧 שלום e\u{301} \u{202E}x"
        let message = try MessageReader().read(Array("{\"aps\":{\"alert\":\"\(body)\"}}".utf8))
        #expect(message.body.map { Array($0.string.utf8) } == Array(body.utf8))
    }
}
