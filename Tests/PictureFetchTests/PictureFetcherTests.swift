// Fetching against a server on this machine, which only these tests may reach and trust.
import Foundation
import RuleEngine
import Testing

@testable import PictureFetch

@Suite struct PictureFetcherTests {
    private static let server = Result { try LocalServer() }

    private func fetch(_ path: String, milliseconds: Int = 5000, loopback: Bool = true, trusted: Bool = true) throws -> FetchReport {
        let server = try Self.server.get()
        let fetcher = try PictureFetcher(
            trusting: trusted ? server.certificate : nil, reachesLoopback: loopback, milliseconds: milliseconds)
        return fetcher.fetch(path.hasPrefix("/") ? server.address + path : path)
    }

    @Test(
        "What a picture is, its first bytes say",
        arguments: [
            ("/jpeg", "image/jpeg", 48211), ("/named.png", "image/jpeg", 48211), ("/png", "image/png", 108), ("/gif", "image/gif", 106),
            ("/mp4", "video/mp4", 112), ("/tiny", "image/jpeg", 3), ("/to-jpeg", "image/jpeg", 48211),
        ])
    func fetched(path: String, type: String, bytes: Int) throws {
        let report = try fetch(path)
        #expect(report.status == 200 && report.type == type && report.bytes == bytes && report.failure == nil, "\(report)")
    }

    @Test(
        "What is no picture is known after its first bytes",
        arguments: [("/webp", "image/webp"), ("/page", "text/html"), ("/unknown", "unknown data")])
    func other(path: String, type: String) throws {
        let report = try fetch(path)
        #expect(report.type == type && report.failure == nil && report.bytes == nil, "\(report)")
    }

    @Test(
        "Each way of failing has its name",
        arguments: [
            ("/to-http", FetchedAttachment.Failure.insecureRedirect), ("/to-file", .insecureRedirect), ("/to-private", .privateAddress),
            ("/to-linklocal", .privateAddress), ("/to-private-v6", .privateAddress), ("/in-circles", .unreachable),
            ("/announced", .tooLarge),
            ("/endless", .tooLarge), ("/truncated", .truncated), ("https://nowhere.invalid/a.png", .unreachable),
            ("https://10.255.255.1/a.png", .privateAddress), ("https://[::ffff:10.0.0.1]/a.png", .privateAddress),
            ("https://0x0a000001/a.png", .privateAddress), ("https://127.0.0.1:1/a.png", .unreachable),
            ("http://127.0.0.1/a.png", .insecureRedirect),
        ])
    func failures(path: String, failure: FetchedAttachment.Failure) throws {
        let report = try fetch(path)
        #expect(report.failure == failure, "\(report)")
    }

    @Test("A refusal of the server is its status")
    func status() throws {
        #expect(try fetch("/login").status == 401)
        #expect(try fetch("/gone").status == 404)
        #expect(try fetch("/login").failure == nil)
        let empty = try fetch("/empty")
        #expect(empty.bytes == 0 && empty.failure == nil)
    }

    @Test("Slow content and a server that says nothing end when the time is over", arguments: ["/slow", "/silent"])
    func slow(path: String) throws {
        let report = try fetch(path, milliseconds: 400)
        #expect(report.failure == .timeout && report.seconds < 3, "\(report)")
    }

    @Test("For everybody else this machine is a private address, by whatever name")
    func loopback() throws {
        let port = try #require(URL(string: try Self.server.get().address)?.port)
        for address in [
            "/jpeg", "https://localhost:\(port)/jpeg", "https://[::1]:\(port)/jpeg", "https://0:\(port)/jpeg", "https://127.1:\(port)/jpeg",
        ] {
            let report = try fetch(address, loopback: false)
            #expect(report.failure == .privateAddress && report.status == nil, "\(report)")
        }
    }

    @Test("A certificate that nobody has signed is not trusted")
    func certificate() throws {
        let report = try fetch("/jpeg", trusted: false)
        #expect(report.failure == .unreachable && report.detail == "its certificate is not trusted", "\(report)")
    }
}

@Suite struct PublicAddressTests {
    private func bytes(_ text: String) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: text.contains(":") ? 16 : 4)
        try #require(inet_pton(text.contains(":") ? AF_INET6 : AF_INET, text, &bytes) == 1)
        return bytes
    }

    @Test(
        "Public addresses",
        arguments: [
            "1.1.1.1", "100.63.0.1", "100.128.0.1", "172.15.0.1", "172.32.0.1", "192.0.1.1", "198.20.0.1", "223.255.255.255",
            "2606:4700::1111", "2a00:1450::1", "::ffff:1.1.1.1",
        ])
    func publicOnes(text: String) throws {
        #expect(PublicAddress.isPublic(try bytes(text)))
    }

    @Test(
        "All others",
        arguments: [
            "0.0.0.0", "10.1.2.3", "100.64.0.1", "127.0.0.1", "127.255.255.254", "169.254.169.254", "172.16.0.1", "172.31.255.255",
            "192.0.0.1",
            "192.0.2.1", "192.168.1.1", "198.18.0.1", "198.51.100.7", "203.0.113.9", "224.0.0.1", "240.0.0.1", "255.255.255.255", "::",
            "::1",
            "fe80::1", "fc00::1", "fd12::1", "ff02::1", "2001:db8::1", "2002:a00:1::", "2001:0:a00::1", "64:ff9b::a00:1", "::ffff:10.0.0.1",
            "::ffff:127.0.0.1", "::10.0.0.1", "3fff::1", "100::1", "4000::1",
        ])
    func others(text: String) throws {
        #expect(!PublicAddress.isPublic(try bytes(text)))
    }

    @Test("What is no address is not public")
    func none() {
        #expect(!PublicAddress.isPublic([]) && !PublicAddress.isPublic([1, 1, 1]))
    }
}
