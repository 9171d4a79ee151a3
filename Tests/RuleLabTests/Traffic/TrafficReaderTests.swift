// Lines of traffic: what is read, and what is said of a line that is none.
import JSONDocument
import PushMessage
import RuleEngine
import Testing

@testable import RuleLab

struct TrafficReaderTests {
    private let reader = TrafficReader()

    private func read(_ line: String) throws(TrafficFault) -> TrafficLine {
        try Array(line.utf8).withUnsafeBufferPointer { bytes throws(TrafficFault) in try reader.read(UnsafeRawBufferPointer(bytes)) }
    }

    private func fault(_ line: String) -> TrafficFault? {
        do throws(TrafficFault) {
            _ = try read(line)
            return nil
        } catch {
            return error
        }
    }

    @Test("A line has a moment, an app, a message and a phone, in any order")
    func whole() throws {
        let line = try read(
            #" {"device" : {"recipient":"u-1"}, "message": {"aps": {"alert":"x"}} ,"app":"chat","at":"2026-03-02T09:00:00+09:00"}"#)
        #expect(line.at.text == "2026-03-02T00:00:00Z")
        #expect(line.app == "chat")
        #expect(line.event == nil)
        #expect(line.message?.string == #"{"aps": {"alert":"x"}}"#)
        #expect(line.device["recipient"]?.text == "u-1")
    }

    @Test("An event is a name or an object, and needs no message")
    func events() throws {
        #expect(try read(#"{"at":"2026-03-02T09:00:00Z","app":"a","event":"resume","device":{}}"#).event?.name == .resume)
        let line = try read(#"{"at":"2026-03-02T09:00:00Z","app":"a","event":{"name":"open","action":"REPLY"},"message":{},"device":{}}"#)
        #expect(line.event?.details?["action"]?.text == "REPLY")
    }

    @Test("A line of a log, with more in it, is a line; null is as good as nothing")
    func log() throws {
        let line = try read(
            #"{"at":"2026-03-02T09:00:00Z","app":"a","event":null,"message":{},"device":{},"decision":{"app":"a"},"ms":0.4,"trace":[1]}"#)
        #expect(line.event == nil && line.message?.string == "{}")
    }

    @Test(
        "What is no line says what is missing, and where",
        arguments: [
            ("", "json_empty", "no JSON", nil), ("{", "json_unfinished", "too early", 1), ("[]", "traffic_invalid", "is an object", 0),
            ("7", "traffic_invalid", "is an object", 0),
            (#"{"app":"a","message":{},"device":{}}"#, "traffic_invalid", "no `at`", nil),
            (#"{"at":"yesterday","app":"a","message":{},"device":{}}"#, "traffic_invalid", "not an instant", 6),
            (#"{"at":1767268800,"app":"a","message":{},"device":{}}"#, "traffic_invalid", "not an instant", 6),
            (#"{"at":"2026-03-02T09:00:00Z","message":{},"device":{}}"#, "traffic_invalid", "no `app`", nil),
            (#"{"at":"2026-03-02T09:00:00Z","app":"","message":{},"device":{}}"#, "traffic_invalid", "`app`", 35),
            (#"{"at":"2026-03-02T09:00:00Z","app":"a","message":{}}"#, "traffic_invalid", "no `device`", nil),
            (#"{"at":"2026-03-02T09:00:00Z","app":"a","message":{},"device":[]}"#, "traffic_invalid", "`device`", 61),
            (#"{"at":"2026-03-02T09:00:00Z","app":"a","message":"{}","device":{}}"#, "traffic_invalid", "`message`", 49),
            (#"{"at":"2026-03-02T09:00:00Z","app":"a","device":{}}"#, "traffic_invalid", "neither", nil),
            (#"{"at":"2026-03-02T09:00:00Z","app":"a","event":"opn","device":{}}"#, "event_invalid", "no event \"opn\"", 47),
        ] as [(String, String, String, Int?)])
    func faults(_ line: String, _ code: String, _ words: String, _ offset: Int?) throws {
        let fault = try #require(self.fault(line))
        #expect(fault.code == code)
        #expect(fault.message.contains(words), "\(fault.message)")
        if let offset { #expect(fault.offset == offset) }
    }

    @Test("What the writer writes the reader reads")
    func roundTrip() throws {
        let at = try #require(Instant("2026-03-02T09:00:00.250Z"))
        let bytes = TrafficWriter.line(
            at: at, app: "chat", event: Array(#""open""#.utf8), message: Array(#"{"aps":{}}"#.utf8), device: Array(#"{"tap":true}"#.utf8)
        ) { writer in
            writer.key("decision")
            writer.beginObject()
            writer.endObject()
        }
        #expect(
            String(decoding: bytes, as: UTF8.self)
                == #"{"at":"2026-03-02T09:00:00.250Z","app":"chat","event":"open","message":{"aps":{}},"device":{"tap":true},"decision":{}}"#
                + "\n")
        let line = try read(String(decoding: bytes, as: UTF8.self))
        #expect(line.at == at && line.event?.name == .open && line.device["tap"]?.bool == true)
    }

    @Test("A message may be nested as deeply as anywhere else")
    func depth() throws {
        let deep = String(repeating: "[", count: 60) + String(repeating: "]", count: 60)
        let line = #"{"at":"2026-03-02T09:00:00Z","app":"a","message":{"a":{"b":{"c":\#(deep)}}},"device":{}}"#
        #expect(try read(line).message != nil)
    }
}
