// What is in deploy/ is what the programs that read it take: their own checks say so, and metrics that are named there exist.
import Foundation
import Testing

@testable import HostTelemetry

struct DeployTests {
    private static let folder = "\(Scene.house.path)/deploy"
    private static let brings: Comment = "scripts/operators.sh brings it"

    /// Names that Prometheus itself or the recording rules give.
    private static let others: Set<String> = ["rulehost:decisions:rate5m", "rulehost:answer_seconds:p99_5m"]

    private static func names(in text: String) -> Set<String> {
        Set(text.matches(of: /\b((?:rulehost|process)[_:][a-z0-9_:]+)\b/).map { String($0.output.1) })
    }

    private static func isKnown(_ name: String) -> Bool {
        if others.contains(name) { return true }
        return MetricTable.all.contains { family in
            family.kind == .histogram ? ["_bucket", "_sum", "_count"].contains { family.name + $0 == name } : family.name == name
        }
    }

    @Test("Each metric of the dashboard is one that there is, and each that there is stands on it")
    func dashboard() throws {
        let data = try Data(contentsOf: URL(fileURLWithPath: "\(Self.folder)/grafana/rulehost.json"))
        let json = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let panels = try #require(json["panels"] as? [[String: Any]])
        let texts = panels.flatMap { ($0["targets"] as? [[String: Any]] ?? []).compactMap { $0["expr"] as? String } }
        #expect(texts.count > 30)
        let named = Self.names(in: texts.joined(separator: "\n"))
        for name in named { #expect(Self.isKnown(name), "\(name)") }
        for family in MetricTable.all {
            #expect(named.contains { $0 == family.name || $0.hasPrefix("\(family.name)_bucket") }, "\(family.name) is on no panel")
        }
        let places = panels.compactMap { $0["gridPos"] as? [String: Int] }.map { "\($0["x"] ?? -1) \($0["y"] ?? -1)" }
        #expect(Set(places).count == panels.count)
    }

    @Test("Each metric of the alerts is one that there is")
    func alerts() throws {
        let text = try String(contentsOfFile: "\(Self.folder)/prometheus/rulehost.rules.yml", encoding: .utf8)
        let expressions = text.replacing(/summary: .*/, with: "").replacing(/#.*/, with: "").replacing(/name: .*/, with: "")
        let named = Self.names(in: expressions)
        #expect(named.count > 12)
        for name in named { #expect(Self.isKnown(name), "\(name)") }
    }

    @Test(
        "promtool takes the alerts and the way metrics are fetched, and the alerts come when they should",
        .enabled(if: OperatorTool.path("promtool") != nil, brings))
    func promtool() throws {
        let folder = "\(Self.folder)/prometheus"
        for arguments in [
            ["check", "rules", "rulehost.rules.yml"], ["check", "config", "scrape.yml"], ["test", "rules", "rulehost.rules.test.yml"],
        ] {
            let answer = try OperatorTool.run("promtool", arguments, in: folder)
            #expect(answer.code == 0, "\(answer.text)")
        }
        // Each alert has a test in which it comes.
        let tests = try String(contentsOfFile: "\(folder)/rulehost.rules.test.yml", encoding: .utf8)
        let rules = try String(contentsOfFile: "\(folder)/rulehost.rules.yml", encoding: .utf8)
        for match in rules.matches(of: /alert: (\w+)/) {
            #expect(tests.contains("alertname: \(match.output.1)\n        exp_alerts:\n          - "), "\(match.output.1)")
        }
    }

    @Test("nginx takes the proxy", .enabled(if: OperatorTool.path("nginx") != nil && OperatorTool.path("openssl") != nil, brings))
    func nginx() throws {
        let scene = try Scene()
        let certificate = try OperatorTool.run(
            "openssl",
            [
                "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=localhost", "-keyout",
                "\(scene.folder)/key.pem", "-out",
                "\(scene.folder)/cert.pem",
            ])
        #expect(certificate.code == 0, "\(certificate.text)")
        let site = try String(contentsOfFile: "\(Self.folder)/nginx/rulehost.conf", encoding: .utf8)
            .replacing("/etc/ssl/rulehost/fullchain.pem", with: "\(scene.folder)/cert.pem")
            .replacing("/etc/ssl/rulehost/privkey.pem", with: "\(scene.folder)/key.pem")
        #expect(site.contains("\(scene.folder)/key.pem"))
        // The name that rulehost sees is not the client's to choose.
        #expect(!site.contains("Host $") && site.contains("proxy_set_header Host rulehost.example.com;"))
        #expect(site.contains("default_server"))
        try """
        pid \(scene.folder)/pid;
        error_log stderr;
        events {}
        http {
            access_log off;
            client_body_temp_path \(scene.folder)/a; proxy_temp_path \(scene.folder)/b; fastcgi_temp_path \(scene.folder)/c;
            uwsgi_temp_path \(scene.folder)/d; scgi_temp_path \(scene.folder)/e;
            \(site)
        }
        """.write(toFile: "\(scene.folder)/nginx.conf", atomically: true, encoding: .utf8)
        let check = ["-t", "-e", "stderr", "-p", scene.folder, "-c", "\(scene.folder)/nginx.conf"]
        let answer = try OperatorTool.run("nginx", check)
        #expect(answer.code == 0, "\(answer.text)")
        // The same with the file of the socket.
        let file = try String(contentsOfFile: "\(scene.folder)/nginx.conf", encoding: .utf8)
        let other = file.replacing("    server 127.0.0.1:8080 max_fails=0;", with: "").replacing("# server unix:", with: "server unix:")
        #expect(other != file && other.contains("    server unix:/run/rulehost/socket"))
        try other.write(toFile: "\(scene.folder)/nginx.conf", atomically: true, encoding: .utf8)
        let answerOfOther = try OperatorTool.run("nginx", check)
        #expect(answerOfOther.code == 0, "\(answerOfOther.text)")
    }

    @Test(
        "systemd takes the unit, and says that it is well shut in",
        .enabled(if: OperatorTool.path("systemd-analyze") != nil, "there is no systemd"))
    func unit() throws {
        let scene = try Scene()
        let unit = try String(contentsOfFile: "\(Self.folder)/systemd/rulehost.service", encoding: .utf8)
        #expect(unit.contains("ExecStart=/usr/bin/rulehost serve"))
        #expect(unit.contains("    --tokens /etc/rulehost/tokens"))
        // Where it is to be is nothing yet.
        try unit.replacing("/usr/bin/rulehost", with: "\(Scene.programs)/rulehost").write(
            toFile: "\(scene.folder)/rulehost.service", atomically: true, encoding: .utf8)
        let verified = try OperatorTool.run("systemd-analyze", ["verify", "\(scene.folder)/rulehost.service"])
        #expect(verified.code == 0 && verified.text == "", "\(verified.text)")
        // In tenths: 20 is what it calls OK; a unit without any of it has 96.
        let security = try OperatorTool.run(
            "systemd-analyze", ["security", "--offline=true", "--threshold=15", "\(scene.folder)/rulehost.service"])
        #expect(security.code == 0, "\(security.text)")
    }
}
