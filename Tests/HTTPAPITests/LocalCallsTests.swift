// On a host without tokens every name in a request is plainly one of this machine, so that no page of another site gets in by a name that leads here.
import HTTPClient
import HTTPServer
import Testing

struct LocalCallsTests {
    private static let hosts: [(String, Int)] = [
        ("localhost", 200), ("LocalHost", 200), ("localhost:8080", 200), ("LOCALHOST:65535", 200), ("127.0.0.1", 200), ("127.0.0.1:1", 200),
        ("127.1.2.3", 200), ("127.255.255.255:80", 200), ("[::1]", 200), ("[::1]:80", 200),
        // What is no name of this machine to everybody.
        ("", 403), (":80", 403), ("localhost.", 403), ("localhost.:80", 403), ("127.0.0.1.", 403), ("127.0.0.1.:80", 403),
        ("localhost.a.example", 403), ("127.0.0.1.a.example", 403), ("a.example", 403), ("127.0.0.1.nip.io", 403), ("localhost4", 403),
        ("127.1", 403), ("127.0.1", 403), ("2130706433", 403), ("0x7f.0.0.1", 403), ("0177.0.0.1", 403), ("127.0.0.01", 403),
        ("127.0.0.256", 403), ("127.0.0.", 403), ("127..0.1", 403), ("127.0.0.1.1", 403), ("0.0.0.0", 403), ("0", 403), ("10.0.0.1", 403),
        ("128.0.0.1", 403), ("1127.0.0.1", 403),
        ("[::2]", 403), ("[::]", 403), ("[::1", 403), ("::1", 403), ("[::1].a.example", 403), ("[::1]a", 403), ("[::1%25lo]", 403),
        ("[0:0:0:0:0:0:0:1]", 403), ("[::01]", 403), ("[::ffff:127.0.0.1]", 403), ("[::1][::1]", 403), ("[localhost]", 403),
        ("localhost:", 403), ("localhost:abc", 403), ("localhost:80:80", 403), ("localhost:-1", 403), ("localhost:080", 403),
        ("localhost:65536", 403), ("localhost:99999999999999999999", 403), ("127.0.0.1:", 403), ("[::1]:", 403), ("[::1]:x", 403),
        ("localhost:80.a.example", 403), ("a.example:80", 403),
        // What no host is called is refused by whoever reads heads.
        ("localhost/a.example", 400), ("a.example@localhost", 400), ("localhost, a.example", 400), ("localhost a.example", 400),
    ]

    private func status(_ client: Client, _ target: String, _ fields: String, version: String = "1.1") throws -> Int {
        client.send("GET \(target) HTTP/\(version)\r\n\(fields)\r\n")
        return try client.readAnswer().status
    }

    @Test("Host is a name of this machine, written as everybody reads it")
    func hosts() throws {
        let scene = try Scene()
        for (host, status) in Self.hosts {
            #expect(try self.status(try scene.client(), "/healthz", "Host: \(host)\r\n") == status, "\(host)")
        }
        #expect(try status(try scene.client(), "/healthz", "Host: localhost\r\nHost: a.example\r\n") == 400)
        #expect(try status(try scene.client(), "/healthz", "Host: localhost\r\nhost: localhost\r\n") == 400)
        #expect(try status(try scene.client(), "/healthz", "") == 400)
        #expect(try status(try scene.client(), "/healthz", "", version: "1.0") == 200)
    }

    @Test("A target that is a whole address names this machine, too")
    func addresses() throws {
        let scene = try Scene()
        for (authority, status) in Self.hosts where ![0, 400].contains(authority.isEmpty ? 0 : status) {
            let target = "http://\(authority)/healthz"
            #expect(try self.status(try scene.client(), target, "Host: localhost\r\n") == status, "\(authority)")
        }
        #expect(try status(try scene.client(), "http://localhost/healthz", "Host: a.example\r\n") == 403)
        #expect(try status(try scene.client(), "http://a@localhost/healthz", "Host: localhost\r\n") == 403)
        #expect(try status(try scene.client(), "https://a.example?", "Host: localhost\r\n") == 403)
        #expect(try status(try scene.client(), "http://a.example/healthz", "", version: "1.0") == 403)
    }

    @Test("Origin is that of the host itself, each that there is")
    func origins() throws {
        let scene = try Scene()
        for (fields, status) in [
            ("Host: localhost\r\nOrigin: http://localhost\r\n", 200), ("Host: localhost\r\nOrigin: https://localhost\r\n", 200),
            ("Host: [::1]:80\r\nOrigin: http://[::1]:80\r\n", 200),
            ("Host: localhost\r\nOrigin: http://a.example\r\n", 403), ("Host: localhost\r\nOrigin: null\r\n", 403),
            ("Host: localhost\r\nOrigin: \r\n", 403), ("Host: localhost\r\nOrigin: localhost\r\n", 403),
            ("Host: localhost\r\nOrigin: http://localhost.\r\n", 403), ("Host: localhost:1\r\nOrigin: http://localhost:2\r\n", 403),
            ("Host: localhost\r\nOrigin: http://localhost\r\nOrigin: http://a.example\r\n", 403),
            ("Host: localhost\r\nOrigin: http://a.example\r\norigin: http://localhost\r\n", 403),
            ("Host: localhost\r\nOrigin: http://localhost, http://a.example\r\n", 403),
        ] {
            #expect(try self.status(try scene.client(), "/healthz", fields) == status, "\(fields)")
        }
        #expect(try status(try scene.client(), "/healthz", "Origin: http://\r\n", version: "1.0") == 403)
        let both = "Host: localhost\r\nOrigin: http://localhost\r\n"
        #expect(try status(try scene.client(), "http://127.0.0.1/healthz", both) == 403)
    }
}
