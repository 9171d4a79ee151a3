// The hash that recognises a second copy of a message of which one may have lost its id.
import JSONDocument
import PushMessage
import Testing

@Suite struct ContentHashTests {
    @Test("A copy that lost its id, its sender's keys and its nulls has the same hash")
    func copyWithoutIDs() throws {
        let whole = #"""
            {"color":null,"google.message_id":"0:1559037885338181","google.ttl":2419200,"title":"aTitle","message":"aBody","data":{"k":"v"}}
            """#
        let copy = #"{"title":"aTitle","message":"aBody","data":{"k":"v"}}"#
        #expect(try hash(of: whole) == hash(of: copy))
        let numbered = #"{"aps":{"alert":"x"},"message_id":"m-1","k":"v"}"#
        #expect(try hash(of: numbered) == hash(of: #"{"aps":{"alert":"x"},"k":"v"}"#))
    }

    @Test("Order of keys, white space and way of writing do not change the hash")
    func canonical() throws {
        let one = #"{"aps":{"alert":{"title":"é","body":"b"}},"a":1,"b":{"c":[true],"d":null}}"#
        let other = #"{ "b": {"d": null, "c": [ true ]}, "a": 1, "aps": {"alert": {"body": "b", "title": "\u00e9"}} }"#
        #expect(try hash(of: one) == hash(of: other))
    }

    @Test("Where a text stood does not matter: the same content in two formats is one message")
    func acrossFormats() throws {
        let v1 = #"{"message":{"token":"T","notification":{"title":"t","body":"b"},"data":{"k":"v"}}}"#
        let phone = #"{"gcm.message_id":"m","aps":{"alert":{"title":"t","body":"b"}},"k":"v"}"#
        #expect(try hash(of: v1) == hash(of: phone))
    }

    @Test(
        "Another text, place of a text, key, category or type gives another hash",
        arguments: [
            #"{"aps":{"alert":"y","category":"c"},"k":1}"#, #"{"aps":{"alert":{"title":"x"},"category":"c"},"k":1}"#,
            #"{"aps":{"alert":{"loc-key":"x"},"category":"c"},"k":1}"#, #"{"aps":{"alert":"x","category":"d"},"k":1}"#,
            #"{"aps":{"alert":"x"},"k":1}"#, #"{"aps":{"alert":"x","category":"c"},"k":"1"}"#,
            #"{"aps":{"alert":"x","category":"c"},"k":1.0}"#, #"{"aps":{"alert":"x","category":"c"},"k":true}"#,
            #"{"aps":{"alert":"x","category":"c"},"l":1}"#, #"{"aps":{"alert":"x","category":"c"}}"#,
            #"{"aps":{"alert":"x","category":"c"},"k":[1]}"#, #"{"aps":{"alert":"xc"},"k":1}"#,
        ])
    func differs(other: String) throws {
        #expect(try hash(of: #"{"aps":{"alert":"x","category":"c"},"k":1}"#) != hash(of: other))
    }

    @Test("A generated id is the content's hash; a sender's id is not")
    func generatedID() throws {
        let reader = MessageReader()
        let text = Array(#"{"aps":{"alert":"x"}}"#.utf8)
        let message = try text.withUnsafeBytes { try reader.read($0) }
        #expect(message.idGenerated)
        #expect(message.id.string == message.contentHash())
    }

    private func hash(of text: String) throws -> String {
        let reader = MessageReader()
        let message = try Array(text.utf8).withUnsafeBytes { try reader.read($0) }
        return message.contentHash()
    }
}
