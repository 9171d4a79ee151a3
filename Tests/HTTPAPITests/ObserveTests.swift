// What whoever runs a host asks over HTTP, and what of a request is written down.
import Foundation
import HTTPClient
import HTTPServer
import HostTelemetry
import Testing

@testable import HTTPAPI

struct ObserveTests {
    @Test("Metrics are text for Prometheus, and tell of each answer by its route and status")
    func metrics() throws {
        let scene = try Scene(isWatched: true)
        let client = try scene.client()
        #expect(try client.post("/v1/apps/chat/decide", Scene.body(id: "1")).status == 200)
        #expect(try client.post("/v1/apps/chat/decide", "[]").status == 400)
        #expect(try client.ask("GET", "/nowhere").status == 404)
        let answer = try client.ask("GET", "/metrics")
        #expect(answer.status == 200 && answer.fields["content-type"] == "text/plain; version=0.0.4; charset=utf-8")
        for line in [
            #"rulehost_decisions_total{app="chat",event="present",action="show",rule="Count"} 1"#,
            #"rulehost_problems_total{code="not_an_object"} 1"#,
            #"rulehost_requests_total{route="decide",status="200"} 1"#, #"rulehost_requests_total{route="decide",status="400"} 1"#,
            #"rulehost_requests_total{route="none",status="404"} 1"#, "rulehost_connections 1", "rulehost_connections_total 1",
            "rulehost_connections_limit \(scene.server.mostConnections)",
        ] {
            #expect(answer.text.contains("\n\(line)\n"), "\(line)")
        }
        #expect(try client.ask("GET", "/metrics").text.contains(#"rulehost_requests_total{route="metrics",status="200"} 1"#))
    }

    @Test("Probes say how the host is, and that one which is about to end is not ready")
    func health() throws {
        let scene = try Scene(isWatched: true)
        let client = try scene.client()
        #expect(try client.ask("GET", "/readyz").status == 503)
        scene.health?.begin()
        while try client.ask("GET", "/readyz").status != 200 {}
        #expect(try client.ask("GET", "/readyz").text == #"{"status":"ok","missing":[]}"#)
        #expect(try client.ask("GET", "/healthz").text == #"{"status":"ok","missing":[]}"#)
        scene.health?.end()
        #expect(try client.ask("GET", "/readyz").text.contains("host_closing"))
        #expect(try client.ask("GET", "/healthz").status == 200)
    }

    @Test("The trace of an answer is the one in the log of decisions, also of a stream of lines")
    func traces() throws {
        let scene = try Scene(isWatched: true)
        let client = try scene.client()
        let asked = "traceparent: 00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01\r\n"
        let one = try client.post("/v1/apps/chat/decide", Scene.body(id: "1"), asked).fields["traceparent"]
        let other = try client.post("/v1/decide", Scene.body(id: "2", app: "chat") + "\n").fields["traceparent"]
        scene.telemetry?.end()
        let lines = try String(contentsOfFile: "\(scene.folder)/decisions.ndjson", encoding: .utf8).split(separator: "\n").map {
            try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] ?? [:]
        }
        #expect(lines.map { $0["traceparent"] as? String } == [one, other])
        #expect(one?.hasPrefix("00-4bf92f3577b34da6a3ce929d0e0e4736-") == true && one != other)
    }
}
