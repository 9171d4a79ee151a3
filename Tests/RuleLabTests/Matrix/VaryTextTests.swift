// What is to be varied, as a person writes it: what it comes to, and what is said of what is none.
import RuleReference
import Testing

@testable import RuleLab

struct VaryTextTests {
    private static func json(_ value: MatrixInput.Value) -> String? {
        guard case .device(let field) = value.setting else { return nil }
        return "\(field.key)\(field.member.map { ".\($0)" } ?? "")=\(field.json.map { String(decoding: $0, as: UTF8.self) } ?? "-")"
    }

    @Test(
        "Values become what a phone has at that place",
        arguments: [
            ("state=foreground,not_running", [#"state="foreground""#, #"state="not_running""#]),
            ("locale=ko-KR, en", [#"locale="ko-KR""#, #"locale="en""#]), ("tap=on,off", ["tap=true", "tap=false"]),
            ("channel.offers=yes,null", ["channels.offers=true", "channels.offers=-"]), ("badge=0,3", ["badge=0", "badge=3"]),
            ("topics=[],[\"a,b\"],null", ["topics=[]", "topics=[\"a,b\"]", "topics=-"]),
            ("screen=home,chat/room-1/photo", [#"screen={"tab":"home"}"#, #"screen={"tab":"chat","path":["room-1","photo"]}"#]),
            ("screen={\"tab\":\"a/b\"}", [#"screen={"tab":"a/b"}"#]),
            ("os=ios,android 14", [#"os={"name":"ios"}"#, #"os={"name":"android","version":"14"}"#]),
            ("os.version=13,17.4", [#"os.version="13""#, #"os.version="17.4""#]), ("recipient=\"12\"", [#"recipient="12""#]),
            ("timezone=Asia/Seoul", [#"timezone="Asia/Seoul""#]), ("accounts=[\"u-1\"]", [#"accounts=["u-1"]"#]),
        ])
    func values(_ text: String, _ expected: [String]) throws {
        #expect(try VaryText.read(text).values.map { Self.json($0) } == expected)
    }

    @Test("Moments are instants or times on a clock, events are names or objects, and their labels are short")
    func moments() throws {
        let now = try VaryText.read("now=2026-01-01T22:00:00+09:00,07:05,24:00")
        #expect(now.values.map(\.label) == ["2026-01-01T22:00:00+09:00", "07:05", "24:00"])
        let event = try VaryText.read(#"event=journey,open,{"name":"open","action":"REPLY"}"#)
        #expect(event.values.map(\.label) == ["journey", "open", #"{"name":"open","action":"REPLY"}"#])
        #expect(event.values[0].setting == .event(nil) && event.values[1].setting == .event(Array("\"open\"".utf8)))
        #expect(try VaryText.read("tap=on,off").values.map(\.label) == ["on", "off"])
        #expect(try VaryText.read("screen=chat/room-1").values.map(\.label) == ["chat › room-1"])
    }

    @Test("Every field that a phone has can be varied", arguments: Reference.device.names)
    func fields(_ name: String) throws {
        let example = [
            "state": "background", "os": "ios", "permission": "denied", "app_push": "off", "screen": "home", "badge": "1", "topics": "[]",
            "locale": "ko", "timezone": "UTC", "accounts": "[]", "tap": "on", "local_copy": "on", "app_version": "3.2",
        ]
        // Switches are varied one by one.
        let text = name == "channels" ? "channel.offers=on" : "\(name)=\(example[name] ?? "word")"
        #expect(try VaryText.read(text).values.count == 1)
    }

    @Test(
        "What is none is told with its place, and with what may stand there",
        arguments: [
            ("state", 1, 5, "what takes which values", "FIELD=VALUE"), ("=a", 1, 2, "what takes which values", "FIELD"),
            ("stat=foreground", 1, 4, "no field `stat`", "did you mean `state`?"), ("xyzzy=1", 1, 5, "no field `xyzzy`", "one of screen"),
            ("state=foreground,backgruond", 18, 10, "backgruond", "background"), ("state=", 7, 1, "a value missing", "null"),
            ("state=foreground,,background", 18, 1, "a value missing", "null"), ("tap=maybe", 5, 5, "neither on nor off", "on or off"),
            ("badge=many", 7, 4, "", nil), ("badge=-1", 7, 2, "badge", nil), ("topics=news", 8, 4, "", nil),
            ("state=foreground,foreground", 18, 10, "twice", "leave one out"), ("timezone=Asia/Soul", 10, 9, "no time zone", "Asia/Seoul"),
            ("now=yesterday", 5, 9, "no moment", "22:00"), ("now=25:00", 5, 5, "no moment", "22:00"),
            ("event=opn", 7, 3, "no event", "open"),
            ("event=token", 7, 5, "without details", "object"), ("screen=chat//a", 8, 7, "no screen", "TAB/SCREEN"),
            ("os=ios 17 beta", 4, 11, "no system", "android 14"), ("os=windows", 4, 7, "windows", nil),
            ("channel.=on", 1, 8, "no field", nil),
        ] as [(String, Int, Int, String, String?)])
    func faults(_ text: String, _ column: Int, _ length: Int, _ words: String, _ hint: String?) {
        #expect {
            _ = try VaryText.read(text)
        } throws: { error in
            guard let fault = error as? VaryText.Fault else { return false }
            return fault.column == column && fault.length == length && fault.message.contains(words)
                && (hint.map { fault.hint?.contains($0) ?? false } ?? true)
        }
    }
}
