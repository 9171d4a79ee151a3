// Where a server listens: words that are addresses, ports, and files of sockets.
import Foundation
import HTTPClient
import Testing

@testable import HTTPServer

struct AddressTests {
    private let folder: String

    init() throws {
        folder = NSTemporaryDirectory() + "http-\(UInt32.random(in: .min ... .max))"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    private func fault(_ words: String) throws -> ListenFault? {
        let address = try #require(ListenAddress(words))
        do throws(ListenFault) {
            _ = try HTTPServer(ServerSettings(), [address], Nobody())
            return nil
        } catch {
            return error
        }
    }

    private struct Nobody: HTTPHandler {
        func head(_ head: RequestHead, _ exchange: Exchange) -> Intake { .answer(Answer(status: 404, .json)) }
    }

    @Test(
        "Words that are an address are understood, and say whether others can come",
        arguments: [
            ("127.0.0.1:8080", "127.0.0.1:8080", true), ("localhost:80", "127.0.0.1:80", true), ("0.0.0.0:0", "0.0.0.0:0", false),
            ("[::1]:8080", "[::1]:8080", true), ("[::]:1", "[::]:1", false), ("unix:/a b/c", "unix:/a b/c", true),
            ("192.168.0.1:65535", "192.168.0.1:65535", false),
        ])
    func words(words: String, text: String, isLocal: Bool) throws {
        let address = try #require(ListenAddress(words))
        #expect(address.description == text && address.isLocal == isLocal)
    }

    @Test(
        "Words that are none are none",
        arguments: [
            "", "8080", ":8080", "127.0.0.1", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1", "::1:80", "[::1]", "a.example:80", "unix:",
            "[1]:1",
        ])
    func noWords(words: String) { #expect(ListenAddress(words) == nil) }

    @Test("A server listens on every kind of address, and says which port it got")
    func kinds() throws {
        for words in ["127.0.0.1:0", "[::1]:0", "unix:\(folder)/a.sock"] {
            let scene = try Scene(at: words)
            #expect(!scene.address.description.hasSuffix(":0"))
            #expect(try scene.client().get("/short").text == "short")
        }
    }

    @Test(
        "Clients never get the last descriptors, which files and workers need",
        arguments: [(20_256, 20_000), (4_096, 3_840), (300, 150), (1, 1)])
    func descriptors(_ descriptors: Int, _ connections: Int) {
        #expect(HTTPServer.connections(20_000, among: descriptors) == connections)
    }

    @Test("A port that is taken is told")
    func taken() throws {
        let scene = try Scene()
        #expect(try fault(scene.address.description) == .inUse(scene.address))
    }

    @Test("The file of a socket that somebody listens on is left alone, and one that is left over is replaced")
    func files() throws {
        let path = "\(folder)/b.sock"
        var scene: Scene? = try Scene(at: "unix:\(path)")
        #expect(try fault("unix:\(path)") == .inUse(.unix(path)))
        let mode = try #require(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
        #expect(mode == 0o660)
        #expect(try scene?.client().get("/short").text == "short")
        scene = nil
        #expect(!FileManager.default.fileExists(atPath: path), "it goes with its server")
        try leaveSocket(path)
        #expect(FileManager.default.fileExists(atPath: path))
        scene = try Scene(at: "unix:\(path)")
        #expect(try scene?.client().get("/short").text == "short")
        // Somebody else's by now.
        try FileManager.default.removeItem(atPath: path)
        try Data("mine".utf8).write(to: URL(filePath: path))
        scene = nil
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "mine")
    }

    /// As a server does that is killed.
    private func leaveSocket(_ path: String) throws {
        let address = try #require(ListenAddress("unix:\(path).other"))
        let other = try HTTPServer(ServerSettings(), [address], Nobody())
        #expect(rename("\(path).other", path) == 0)
        other.stop()
        try other.start()
        other.wait()
    }

    @Test("Places where nobody can listen have their own faults")
    func places() throws {
        try Data("text".utf8).write(to: URL(filePath: "\(folder)/file"))
        #expect(try fault("unix:\(folder)/file") == .notASocket(.unix("\(folder)/file")))
        #expect(try fault("unix:\(folder)/none/a") == .noSuchPlace(.unix("\(folder)/none/a")))
        let long = String(repeating: "a", count: 120)
        #expect(try fault("unix:/\(long)") == .pathTooLong(.unix("/\(long)")))
        #expect(try fault("192.0.2.1:0") == ListenAddress("192.0.2.1:0").map { .noSuchPlace($0) })
    }
}
