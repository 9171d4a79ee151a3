// Reads server-sent events one by one, however they are cut into pieces on the way. Comments are none.
import HTTPClient
import HTTPServer

final class EventReader {
    struct Event: Equatable {
        var name = ""
        var data = ""
        var id = ""
    }

    let client: Client
    private var text = ""

    /// - Parameter fields: of the head, each with its end of line.
    init(_ scene: Scene, _ app: String = "chat", query: String = "", fields: String = "") throws {
        client = try scene.client()
        client.send("GET /v1/apps/\(app)/events\(query) HTTP/1.1\r\nHost: localhost\r\n\(fields)\r\n")
        guard try client.readHead().fields["content-type"] == "text/event-stream" else { throw Client.Silence() }
        // He is in.
        while text.isEmpty { text += String(decoding: try client.readChunk() ?? [], as: UTF8.self) }
    }

    func next() throws -> Event {
        while true {
            guard let end = text.firstRange(of: "\n\n") else {
                guard let chunk = try client.readChunk() else { throw Client.Silence() }
                text += String(decoding: chunk, as: UTF8.self)
                continue
            }
            let lines = text[..<end.lowerBound].split(separator: "\n")
            text.removeSubrange(..<end.upperBound)
            var event = Event()
            for line in lines {
                if line.hasPrefix("event: ") { event.name = String(line.dropFirst(7)) }
                if line.hasPrefix("data: ") { event.data = String(line.dropFirst(6)) }
                if line.hasPrefix("id: ") { event.id = String(line.dropFirst(4)) }
            }
            if !event.name.isEmpty { return event }
        }
    }

    /// Others that come before it are passed over.
    func next(_ name: String) throws -> Event {
        while true {
            let event = try next()
            if event.name == name { return event }
        }
    }
}
