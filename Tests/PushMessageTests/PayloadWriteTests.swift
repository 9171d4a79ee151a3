// A message that is written back: what was changed is changed in every place that counts, and no other byte is.
import JSONDocument
import PushMessage
import Testing

@Suite("Payload, written back")
struct PayloadWriteTests {
    struct Rewrite: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let input: String
        let changes: ContentChanges
        let output: String

        init(_ what: String, _ input: String, _ changes: ContentChanges, _ output: String) {
            testDescription = what
            self.input = input
            self.changes = changes
            self.output = output
        }
    }

    static let rewrites = [
        Rewrite(
            "white space, order, escapes and long numbers around a change stay",
            #"{ "aps" : {"alert":{ "title":"A", "body" :"caf\u00e9" } , "badge": 1 }, "n":12345678901234567890, "x" : [ 1 ] }"#,
            ContentChanges(title: "B", badge: 7),
            #"{ "aps" : {"alert":{ "title":"B", "body" :"caf\u00e9" } , "badge": 7 }, "n":12345678901234567890, "x" : [ 1 ] }"#),
        Rewrite(
            "a plain alert is the body", #"{"aps":{"alert":"hi"}}"#, ContentChanges(body: "ho"), #"{"aps":{"alert":"ho"}}"#),
        Rewrite(
            "a plain alert that gets a title becomes an object", #"{"aps":{"alert":"h\u0069"}}"#, ContentChanges(title: "T"),
            #"{"aps":{"alert":{"title":"T","body":"h\u0069"}}}"#),
        Rewrite(
            "a plain alert that gets title and body becomes an object of both", #"{"aps":{"alert":"hi"}}"#,
            ContentChanges(title: "T", body: "B"), #"{"aps":{"alert":{"title":"T","body":"B"}}}"#),
        Rewrite(
            "an empty alert is filled", #"{"aps":{"alert":null,"badge":1}}"#, ContentChanges(title: "T", body: "B"),
            #"{"aps":{"alert":{"title":"T","body":"B"},"badge":1}}"#),
        Rewrite(
            "what Apple's message lacks is added to aps", #"{"aps":{},"k":1}"#,
            ContentChanges(
                body: "B", sound: "ping", category: "c", thread: "t", interruptionLevel: "passive", relevance: 0.5, badge: 2),
            #"{"aps":{"alert":{"body":"B"},"sound":"ping","badge":2,"category":"c","thread-id":"t","interruption-level":"passive","relevance-score":0.5},"k":1}"#
        ),
        Rewrite(
            "a loc key gives way to the text that replaces it",
            #"{"aps":{"alert":{"title-loc-key":"K","title-loc-args":["a"],"body":"b"}}}"#, ContentChanges(title: "T"),
            #"{"aps":{"alert":{"body":"b","title":"T"}}}"#),
        Rewrite(
            "a critical sound stays critical", #"{"aps":{"sound":{"critical":1,"name":"a","volume":0.5}}}"#,
            ContentChanges(sound: "b"), #"{"aps":{"sound":{"critical":1,"name":"b","volume":0.5}}}"#),
        Rewrite(
            "no sound takes the sound away", #"{"aps":{"alert":"x","sound":"a"},"k":1}"#, ContentChanges(sound: "none"),
            #"{"aps":{"alert":"x"},"k":1}"#),
        Rewrite(
            "the only member is taken away", #"{"aps":{ "sound":"a" }}"#, ContentChanges(sound: ""), #"{"aps":{ }}"#),
        Rewrite(
            "the first member is taken away", #"{"aps":{ "sound":"a", "badge":1}}"#, ContentChanges(sound: ""),
            #"{"aps":{ "badge":1}}"#),
        Rewrite(
            "of two alerts the last one counts and is changed", #"{"aps":{"alert":"a","alert":"b"}}"#,
            ContentChanges(body: "c"), #"{"aps":{"alert":"a","alert":"c"}}"#),
        Rewrite(
            "headers stay beside the payload", #"{"headers":{"apns-priority":"10"},"payload":{"aps":{"alert":"a"}}}"#,
            ContentChanges(body: "b"), #"{"headers":{"apns-priority":"10"},"payload":{"aps":{"alert":"b"}}}"#),
        Rewrite(
            "a v1 message says it in the notification and in Apple's alert",
            #"{"message":{"token":"t","notification":{"title":"a","body":"b"},"apns":{"payload":{"aps":{"alert":{"title":"a","body":"b"}}}}}}"#,
            ContentChanges(title: "A", body: "B"),
            #"{"message":{"token":"t","notification":{"title":"A","body":"B"},"apns":{"payload":{"aps":{"alert":{"title":"A","body":"B"}}}}}}"#
        ),
        Rewrite(
            "a v1 message without any text gets a notification", #"{"message":{"token":"t","data":{"k":"v"}}}"#,
            ContentChanges(title: "A", body: "B"),
            #"{"message":{"token":"t","data":{"k":"v"},"notification":{"title":"A","body":"B"}}}"#),
        Rewrite(
            "a subtitle that comes to a v1 notification takes its texts along",
            #"{"message":{"token":"t","notification":{"title":"a","body":"b"}}}"#, ContentChanges(subtitle: "S", body: "B"),
            #"{"message":{"token":"t","notification":{"title":"a","body":"B"},"apns":{"payload":{"aps":{"alert":{"subtitle":"S","title":"a","body":"B"}}}}}}"#
        ),
        Rewrite(
            "the sound of a v1 message is changed for both systems",
            #"{"message":{"token":"t","notification":{"body":"b"},"android":{"notification":{"sound":"x"}}}}"#,
            ContentChanges(sound: "y", badge: 3),
            #"{"message":{"token":"t","notification":{"body":"b"},"android":{"notification":{"sound":"y"}},"apns":{"payload":{"aps":{"sound":"y","badge":3}}}}}"#
        ),
        Rewrite(
            "a v1 picture is changed everywhere and wakes the extension",
            #"{"message":{"token":"t","notification":{"body":"b","image":"https://a/1"},"apns":{"fcm_options":{"image":"https://a/2"},"payload":{"aps":{}}}}}"#,
            ContentChanges(attachments: ["https://a/3"]),
            #"{"message":{"token":"t","notification":{"body":"b","image":"https://a/3"},"apns":{"fcm_options":{"image":"https://a/3"},"payload":{"aps":{"mutable-content":1}}}}}"#
        ),
        Rewrite(
            "no picture takes the picture away",
            #"{"message":{"token":"t","notification":{"image":"https://a/1","body":"b"}}}"#, ContentChanges(attachments: []),
            #"{"message":{"token":"t","notification":{"body":"b"}}}"#),
        Rewrite(
            "a bare v1 message stays bare", #"{"token":"t","notification":{"body":"b"}}"#, ContentChanges(body: "B"),
            #"{"token":"t","notification":{"body":"B"}}"#),
        Rewrite(
            "legacy: a badge stays text, the category is click_action",
            #"{"to":"t","notification":{"body":"b","badge":"1"}}"#,
            ContentChanges(category: "c", thread: "none here", badge: 2),
            #"{"to":"t","notification":{"body":"b","badge":"2","click_action":"c"}}"#),
        Rewrite(
            "legacy without a notification gets one", #"{"to":"t","data":{"a":"b"}}"#, ContentChanges(title: "T"),
            #"{"to":"t","data":{"a":"b"},"notification":{"title":"T"}}"#),
        Rewrite(
            "the console's carrier keeps its text where it was",
            #"{"google.c.cm.lt_start":"2026-01-01 10:00:00","gcm.notification.title":"a","gcm.message_id":"1"}"#,
            ContentChanges(title: "A", body: "B"),
            #"{"google.c.cm.lt_start":"2026-01-01 10:00:00","gcm.notification.title":"A","gcm.message_id":"1","gcm.notification.body":"B"}"#
        ),
        Rewrite(
            "the message inside an event is changed inside",
            #"{"specversion":"1.0","type":"push","id":"e","source":"s","data":{"aps":{"alert":"a"}}}"#,
            ContentChanges(body: "b"),
            #"{"specversion":"1.0","type":"push","id":"e","source":"s","data":{"aps":{"alert":"b"}}}"#),
        Rewrite(
            "what an iPhone does not see is changed, and is no place for it",
            #"{"message":{"token":"t","android":{"notification":{"title":"A","body":"B"}}}}"#, ContentChanges(title: "T"),
            #"{"message":{"token":"t","android":{"notification":{"title":"T","body":"B"}},"notification":{"title":"T"}}}"#),
        Rewrite(
            "texts that are new come along with a subtitle", #"{"message":{"token":"t","data":{"k":"v"}}}"#,
            ContentChanges(title: "T", subtitle: "S", body: "B"),
            #"{"message":{"token":"t","data":{"k":"v"},"notification":{"title":"T","body":"B"},"apns":{"payload":{"aps":{"alert":{"subtitle":"S","title":"T","body":"B"}}}}}}"#
        ),
        Rewrite(
            "a block of the wrong type gives way to what is added, others stay",
            #"{"message":{"token":"T","notification":{"body":"b"},"android":"a","apns":[],"webpush":1}}"#,
            ContentChanges(badge: 2),
            #"{"message":{"token":"T","notification":{"body":"b"},"android":"a","apns":{"payload":{"aps":{"badge":2}}},"webpush":1}}"#),
        Rewrite(
            "nothing is taken out of a block of the wrong type", #"{"message":{"token":"T","apns":1,"android":[{"notification":1}]}}"#,
            ContentChanges(withheld: [.sound, .badge, .text]), #"{"message":{"token":"T","apns":1,"android":[{"notification":1}]}}"#),
        Rewrite(
            "v1: no sound, for either system",
            #"{"message":{"token":"t","android":{"notification":{"sound":"a","default_sound":true,"tag":"g"}},"apns":{"payload":{"aps":{"sound":{"critical":1,"name":"c"},"alert":"x"}}}}}"#,
            ContentChanges(sound: "new", withheld: .sound),
            #"{"message":{"token":"t","android":{"notification":{"tag":"g"}},"apns":{"payload":{"aps":{"alert":"x"}}}}}"#),
        Rewrite(
            "v1: no badge, for either system",
            #"{"message":{"token":"t","android":{"notification":{"notification_count":4}},"apns":{"payload":{"aps":{"badge":4}}}}}"#,
            ContentChanges(withheld: .badge),
            #"{"message":{"token":"t","android":{"notification":{}},"apns":{"payload":{"aps":{}}}}}"#),
        Rewrite(
            "v1: without a banner Apple's level is added", #"{"message":{"token":"t","notification":{"body":"b"}}}"#,
            ContentChanges(withheld: .banner),
            #"{"message":{"token":"t","notification":{"body":"b"},"apns":{"payload":{"aps":{"interruption-level":"passive"}}}}}"#),
        Rewrite(
            "a level that is passive already stays byte for byte", #"{"aps":{"alert":"b","interruption-level":"p\u0061ssive"}}"#,
            ContentChanges(withheld: .banner), #"{"aps":{"alert":"b","interruption-level":"p\u0061ssive"}}"#),
        Rewrite(
            "v1: nothing to see takes every text away, the data stays",
            #"{"message":{"token":"t","notification":{"title":"a","image":"https://a/1"},"data":{"title":"a"},"android":{"ttl":"1s","notification":{"body_loc_key":"K"}},"apns":{"payload":{"aps":{"alert":{"title":"a"},"sound":"s"}}}}}"#,
            ContentChanges(title: "T", attachments: ["https://a/2"], withheld: .text),
            #"{"message":{"token":"t","data":{"title":"a"},"android":{"ttl":"1s"},"apns":{"payload":{"aps":{"sound":"s"}}}}}"#),
        Rewrite(
            "legacy: no sound and no badge", #"{"to":"t","notification":{"body":"b","sound":"s","badge":"1"}}"#,
            ContentChanges(withheld: [.sound, .badge, .banner]), #"{"to":"t","notification":{"body":"b"}}"#),
        Rewrite(
            "legacy: a badge that is set goes before one that is withheld",
            #"{"to":"t","notification":{"body":"b","sound":"s","badge":"1"}}"#,
            ContentChanges(badge: 5, withheld: [.sound, .badge, .text]), #"{"to":"t","notification":{"badge":"5"}}"#),
        Rewrite(
            "legacy: nothing to see, nothing to hear, no notification",
            #"{"to":"t","notification":{"body":"b","sound":"s"},"data":{"a":"b"}}"#,
            ContentChanges(withheld: [.sound, .text]), #"{"to":"t","data":{"a":"b"}}"#),
        Rewrite(
            "the app's view: no text, no sound",
            #"{"gcm.message_id":"1","gcm.notification.title":"a","gcm.notification.sound":"s","aps":{"alert":"a","sound":"s","badge":1},"title":"mine"}"#,
            ContentChanges(withheld: [.sound, .text]), #"{"gcm.message_id":"1","aps":{"badge":1},"title":"mine"}"#),
        Rewrite(
            "quotes, controls and emoji are written as JSON", #"{"aps":{"alert":"a"}}"#,
            ContentChanges(body: "\"q\" \\ \n\u{1} 👩‍👩‍👧"), #"{"aps":{"alert":"\"q\" \\ \n\u0001 👩‍👩‍👧"}}"#),
        Rewrite(
            "an unknown shape has no place for a title", #"{"hello":"world"}"#, ContentChanges(title: "T"),
            #"{"hello":"world"}"#),
    ]

    @Test("a change lands in its places and nowhere else", arguments: rewrites)
    func rewrite(_ rewrite: Rewrite) throws {
        let message = try MessageReader().read(Array(rewrite.input.utf8))
        let output = String(decoding: Payload.write(message, applying: rewrite.changes), as: UTF8.self)
        #expect(output == rewrite.output)
    }

    @Test("without a change the bytes are the bytes that came", arguments: PayloadCase.all)
    func unchanged(_ item: PayloadCase) throws {
        let bytes = try item.input()
        #expect(Payload.write(try MessageReader().read(bytes)) == bytes)
    }

    @Test(
        "for an Android phone a text does not go where only an iPhone looks",
        arguments: [
            (
                #"{"token":"t","apns":{"payload":{"aps":{"alert":"x"}}}}"#,
                #"{"token":"t","apns":{"payload":{"aps":{"alert":"B"}}},"notification":{"title":"T","body":"B"}}"#
            ),
            (
                #"{"token":"t","apns":{"payload":{"aps":{"alert":{"title":"x","body":"y"}}}}}"#,
                #"{"token":"t","apns":{"payload":{"aps":{"alert":{"title":"T","body":"B"}}}},"notification":{"title":"T","body":"B"}}"#
            ),
            (
                #"{"token":"t","apns":{"payload":{"aps":{"alert":{"body":"y"}}}},"android":{"notification":{"body":"z"}}}"#,
                #"{"token":"t","apns":{"payload":{"aps":{"alert":{"body":"B"}}}},"android":{"notification":{"body":"B"}},"notification":{"title":"T"}}"#
            ),
        ])
    func android(input: String, output: String) throws {
        let context = RecipientContext(platform: .android)
        let message = try MessageReader().read(Array(input.utf8), for: context)
        let written = Payload.write(message, applying: ContentChanges(title: "T", body: "B"))
        #expect(String(decoding: written, as: UTF8.self) == output)
        let reader = MessageReader()
        let again = try reader.read(written, for: context)
        #expect(again.title?.string == "T" && again.body?.string == "B")
    }

    @Test("a byte order mark and white space around the message stay")
    func surroundings() throws {
        let bytes = [0xEF, 0xBB, 0xBF] + Array(" \n{\"aps\":{\"alert\":\"a\"}}\r\n ".utf8)
        let message = try MessageReader().read(bytes)
        #expect(Payload.write(message) == bytes)
        let changed = [0xEF, 0xBB, 0xBF] + Array(" \n{\"aps\":{\"alert\":\"b\"}}\r\n ".utf8)
        #expect(Payload.write(message, applying: ContentChanges(body: "b")) == changed)
    }

    @Test("what is written reads back with the new values, in every format that has the field", arguments: PayloadCase.all)
    func readsBack(_ item: PayloadCase) throws {
        let bytes = try item.input()
        let reader = MessageReader()
        let message = try reader.read(bytes)
        let format = message.format
        // Shapes that hold no message have no place for a text.
        if message.lint.contains(where: { $0.code == .unknownFormat }) { return }
        let changes = ContentChanges(
            title: "New title", subtitle: "New subtitle", body: "New body", sound: "new.caf", category: "NEW", badge: 17)
        let written = Payload.write(message, applying: changes)
        let other = MessageReader()
        let again = try other.read(written, as: format)
        #expect(again.title?.string == "New title")
        #expect(again.subtitle?.string == "New subtitle")
        #expect(again.body?.string == "New body")
        #expect(again.sound?.name.string == "new.caf")
        #expect(again.category?.string == "NEW")
        #expect(again.badge == 17)
    }

    @Test("a field that the app's field map found is changed where it was found")
    func mapped() throws {
        let map = FieldMap([
            (field: "title", paths: [try FieldPath(parsing: "data.items[1].head")]),
            (field: "badge", paths: [try FieldPath(parsing: "data.count")]),
        ])
        let reader = MessageReader(fields: map)
        let message = try reader.read(Array(#"{"x":1,"data":{"items":[0,{"head":"a"}],"count":"5"}}"#.utf8))
        #expect(message.title?.string == "a")
        let output = Payload.write(message, applying: ContentChanges(title: "b", badge: 6))
        #expect(String(decoding: output, as: UTF8.self) == #"{"x":1,"data":{"items":[0,{"head":"b"}],"count":"6"}}"#)
    }
}
