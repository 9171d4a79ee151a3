// Reading a device: defaults, types, unknown keys, and what rules see of it.
import JSONDocument
import PushMessage
import Testing

@testable import RuleEngine

@Suite struct DeviceTests {
    private func read<T>(_ text: String, _ body: (Device) throws -> T) throws -> T {
        let document = JSONDocument()
        try document.read(text)
        let reader = DeviceReader()
        return try withExtendedLifetime((document, reader)) { try body(reader.read(document.root)) }
    }

    @Test("A device of which nothing is known is an authorized iOS 18 in the background")
    func defaults() throws {
        try read("{}") { device in
            #expect(device.state == .background)
            #expect(device.permission == .authorized)
            #expect(device.appPush == nil)
            #expect(device.osName == "ios")
            #expect(device.osVersion?.string == "18")
            #expect(device.platform == .ios)
            #expect(device.recipient == nil && device.topics == nil && device.accounts == nil && device.badge == nil)
            #expect(!device.isTapped && !device.isLocalCopy)
            #expect(device.warnings.isEmpty)
            var writer = JSONWriter()
            writer.value(try #require(device.view))
            #expect(
                String(decoding: writer.bytes, as: UTF8.self)
                    == #"{"state":"background","permission":"authorized","app_push":true,"os":{"name":"ios","version":"18"},"tap":false,"local_copy":false}"#
            )
        }
    }

    @Test("Every key is read, and rules see what was given")
    func everyKey() throws {
        let text =
            #"{"recipient":"u-1","state":"foreground","os":{"name":"ios","version":"17.4"},"app_version":"3.2.0","permission":"provisional","app_push":false,"channels":{"promo":false},"screen":{"tab":"chat","path":["room-8812",7]},"badge":3,"topics":["news"],"locale":"ko-KR","timezone":"Asia/Seoul","accounts":["u-1"],"tap":true,"action":"reply","local_copy":true}"#
        try read(text) { device in
            #expect(device.recipient?.string == "u-1")
            #expect(device.state == .foreground)
            #expect(device.osVersion?.string == "17.4")
            #expect(device.appVersion?.string == "3.2.0")
            #expect(device.permission == .provisional)
            #expect(device.appPush == false)
            #expect(device.channels?["promo"]?.bool == false)
            #expect(device.screenTab?.string == "chat")
            #expect(device.screenPath?.count == 2)
            #expect(device.badge == 3)
            #expect(device.topics?[0]?.text?.string == "news")
            #expect(device.locale?.string == "ko-KR" && device.timezone?.string == "Asia/Seoul")
            #expect(device.accounts?.count == 1)
            #expect(device.isTapped && device.action?.string == "reply" && device.isLocalCopy)
            var writer = JSONWriter()
            writer.value(try #require(device.view))
            #expect(String(decoding: writer.bytes, as: UTF8.self) == text)
        }
    }

    @Test("not_running is read as terminated, also in the view")
    func notRunning() throws {
        try read(#"{"state":"not_running"}"#) { device in
            #expect(device.state == .terminated)
            #expect(device.view?["state"]?.text?.string == "terminated")
        }
    }

    @Test("No topics and no word about topics are different")
    func topics() throws {
        try read(#"{"topics":[]}"#) { #expect($0.topics?.count == 0) }
        try read(#"{"topics":null}"#) { #expect($0.topics == nil) }
    }

    @Test("Null is the same as not there", arguments: DeviceKey.names)
    func nulls(key: String) throws {
        try read("{\"\(key)\":null}") { device in
            #expect(device.warnings.isEmpty)
            #expect(device.permission == .authorized)
        }
    }

    @Test("A system or a version that is not known is a warning that guesses")
    func os() throws {
        try read(#"{"os":{"name":"iOS","version":"17.4"}}"#) { device in
            #expect(device.warnings.map(\.code) == [.unknownValue])
            #expect(device.warnings.first?.path == "os.name" && device.warnings.first?.hint == "did you mean \"ios\"?")
        }
        try read(#"{"os":{"name":"symbian","version":"new"}}"#) { device in
            #expect(device.warnings.map(\.path) == ["os.name", "os.version"])
            #expect(device.warnings.first?.hint == "one of ios, android")
        }
        try read(#"{"os":{"name":"android","version":"14"}}"#) { #expect($0.warnings.isEmpty) }
    }

    @Test("An unknown key is a warning that guesses")
    func unknownKey() throws {
        try read(#"{"permision":"denied","screen":{"tabb":"x"},"os":{"nam":"ios"}}"#) { device in
            #expect(device.permission == .authorized)
            #expect(device.warnings.map(\.code) == [.unknownDeviceKey, .unknownDeviceKey, .unknownDeviceKey])
            #expect(device.warnings.map(\.path) == ["permision", "screen.tabb", "os.nam"])
            #expect(device.warnings.first?.hint == "did you mean `permission`?")
        }
    }

    @Test(
        "A wrong type is an error with its path",
        arguments: [
            (#"[]"#, ""), (#"7"#, ""), (#"{"state":"forground"}"#, "state"), (#"{"state":1}"#, "state"),
            (#"{"permission":"yes"}"#, "permission"), (#"{"badge":-1}"#, "badge"), (#"{"badge":1.5}"#, "badge"),
            (#"{"badge":"3"}"#, "badge"), (#"{"badge":99999999999}"#, "badge"), (#"{"app_push":"on"}"#, "app_push"),
            (#"{"channels":[]}"#, "channels"), (#"{"channels":{"promo":"off"}}"#, "channels.promo"),
            (#"{"screen":"chat"}"#, "screen"), (#"{"screen":{"path":"a"}}"#, "screen.path"),
            (#"{"screen":{"path":["a",{}]}}"#, "screen.path[1]"), (#"{"topics":["a",1]}"#, "topics[1]"),
            (#"{"accounts":"u"}"#, "accounts"), (#"{"os":"ios"}"#, "os"), (#"{"os":{"version":17}}"#, "os.version"),
            (#"{"tap":1}"#, "tap"), (#"{"recipient":7}"#, "recipient"),
        ])
    func wrongType(text: String, path: String) throws {
        let fault = #expect(throws: RequestFault.self) { try read(text) { _ in } }
        #expect(fault?.path == path)
        #expect(fault?.code == .deviceInvalid)
    }

    @Test("A misspelt state says which one was meant")
    func misspeltState() throws {
        let fault = #expect(throws: RequestFault.self) { try read(#"{"state":"forground"}"#) { _ in } }
        #expect(fault?.hint == "did you mean \"foreground\"?")
    }

    @Test("An action is a tap")
    func action() throws {
        try read(#"{"action":"reply"}"#) { #expect($0.isTapped) }
        try read(#"{"action":"reply","tap":false}"#) { #expect($0.isTapped) }
    }

    @Test("Android without a version has none")
    func android() throws {
        try read(#"{"os":{"name":"android"}}"#) { device in
            #expect(device.platform == .android)
            #expect(device.osVersion == nil)
        }
    }

    @Test("A reader reads one device after the other")
    func reuse() throws {
        let reader = DeviceReader()
        let first = try Array(#"{"recipient":"u-1","badge":3}"#.utf8).withUnsafeBytes { try reader.read($0).recipient?.string }
        let second = try Array(#"{"state":"inactive"}"#.utf8).withUnsafeBytes { try reader.read($0) }
        #expect(first == "u-1")
        #expect(second.recipient == nil && second.badge == nil && second.state == .inactive)
    }

    @Test("Text that is no JSON is told apart from a wrong device")
    func unreadable() {
        let reader = DeviceReader()
        let fault = #expect(throws: DeviceFault.self) { try Array("{".utf8).withUnsafeBytes { _ = try reader.read($0) } }
        guard case .unreadable = fault else {
            Issue.record("expected an unreadable device, got \(String(describing: fault))")
            return
        }
    }
}
