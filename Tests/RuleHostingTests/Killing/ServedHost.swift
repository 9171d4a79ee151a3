// `rulehost serve` as somebody runs it, in a process of its own that a test kills; asked over the file of its socket.
import Foundation
import HTTPClient
import HTTPServer

@testable import RuleHosting

final class ServedHost {
    private let process = Process()
    private let socket: String

    /// Returns when it listens.
    init(_ scene: Scene, _ words: [String] = []) throws {
        socket = "\(scene.folder)/host.sock"
        process.executableURL = URL(fileURLWithPath: "\(Scene.programs)/rulehost")
        process.arguments =
            [
                "serve", "--rules", scene.rules, "--store", "sqlite:\(scene.storePath)", "--listen", "unix:\(socket)", "--isolation",
                "thread",
            ]
            + words
        let output = Pipe()
        process.standardOutput = output
        process.standardInput = FileHandle.nullDevice
        try process.run()
        guard !output.fileHandleForReading.availableData.isEmpty else {
            process.waitUntilExit()
            throw Client.Silence()
        }
    }

    deinit { kill() }

    func client() throws -> Client { try Client(.unix(socket)) }

    /// Without a word, as a kill is.
    func kill() {
        guard process.isRunning else { return }
        Glibc.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// As an operator ends it.
    func end() {
        process.terminate()
        process.waitUntilExit()
    }
}

extension Client {
    func post(_ path: String, _ body: String, key: String? = nil) throws -> Received {
        let field = key.map { "Idempotency-Key: \($0)\r\n" } ?? ""
        send("POST \(path) HTTP/1.1\r\nHost: localhost\r\n\(field)Content-Length: \(body.utf8.count)\r\n\r\n\(body)")
        return try readAnswer()
    }
}

extension Client.Received {
    var json: [String: Any] {
        do {
            return try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any] ?? [:]
        } catch {
            return [:]
        }
    }

    func label(_ name: String) -> String? { (json["labels"] as? [String: Any])?[name] as? String }
}

/// Asks a host one request after the other until it is gone. What was answered stays here; each request has a key of its own.
// SAFETY: `answers` is read when the thread has ended.
final class Feeder: @unchecked Sendable {
    let recipient: String
    private(set) var answers: [String] = []
    private(set) var received: [Client.Received] = []
    private var sender: Sender?

    static func body(_ recipient: String, _ number: Int) -> String {
        #"{"event":"present","message":{"message_id":"\#(recipient)-\#(number)","aps":{"alert":"Hello"}},"device":{"recipient":"\#(recipient)","state":"foreground"}}"#
    }

    init(_ recipient: String, of host: ServedHost) throws {
        self.recipient = recipient
        let client = try host.client()
        sender = Sender { [self] in
            do {
                while true {
                    let number = answers.count
                    let answer = try client.post(
                        "/v1/apps/chat/decide", Self.body(recipient, number), key: "\(recipient)-\(number)")
                    guard answer.status == 200 else { break }
                    answers.append(answer.text)
                    received.append(answer)
                }
            } catch {
                // It is gone.
            }
        }
    }

    func wait() {
        sender?.wait()
        sender = nil
    }

    /// What was answered counts once, and who asks again hears the same; the one that was under way counts once after that, too.
    func check(_ host: ServedHost) throws -> Bool {
        let client = try host.client()
        for number in 0...answers.count {
            let again = try client.post("/v1/apps/chat/decide", Self.body(recipient, number), key: "\(recipient)-\(number)")
            if number < answers.count, again.text != answers[number] { return false }
            if number == answers.count, (again.json["badge"] as? [String: Any])?["value"] as? Int != number + 1 { return false }
        }
        return true
    }
}
