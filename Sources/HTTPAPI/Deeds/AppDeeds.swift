// GET /v1/apps and /v1/apps/{app}: which apps there are, which rules are in force, and what is wrong with those that are not.
import HTTPServer
import HostTelemetry
import JSONDocument
import RuleHosting
import RuleStore

/// All apps of the folder; what is known of those that have been asked for.
struct AppsDeed: CallerDeed {
    let host: RuleHost
    let clerk: Clerk
    var caller = Caller.local

    func begin(_ head: RequestHead, _ exchange: Exchange) -> Intake {
        .bodiless(
            ClerkTaking(clerk: clerk) { [host, caller] _ in AppsDeed.answer(host, caller) })
    }

    private static func answer(_ host: RuleHost, _ caller: Caller) -> Answer {
        let names: [String]
        do throws(StoreFault) {
            names = try host.apps()
        } catch {
            return Answer(HostProblem(error))
        }
        let known = host.known
        var writer = JSONWriter(reserving: 1_024)
        writer.beginObject()
        writer.key("apps")
        writer.beginArray()
        for name in names where caller.knows(name) {
            writer.beginObject()
            if let info = known[name] {
                info.write(into: &writer)
            } else {
                writer.member("app", name)
            }
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
        return Answer(status: 200, .json, writer.bytes)
    }
}

/// One app, which is read if nobody has asked for it before.
struct AppDeed: RouteDeed, RequestTaking {
    let host: RuleHost
    let telemetry: HostTelemetry?

    func begin(_ head: RequestHead, _ exchange: Exchange) -> Intake { .bodiless(self) }

    func take(_ request: Request) {
        let name = request.head.path[2]
        host.info(of: name) { info in
            guard let info else { return request.exchange.answer(Answer(HostProblem.unknownApp(name))) }
            var writer = JSONWriter(reserving: 512)
            writer.beginObject()
            info.write(into: &writer)
            if let limits = info.limits { AppDeed.write(limits, into: &writer) }
            if let telemetry {
                let canary = info.canary.map { telemetry.canaryCounters(of: name, canary: $0.ruleset) }
                let ended = telemetry.endedCanary(of: name, beside: info.canary?.ruleset)
                AppDeed.write(telemetry.counters(of: name), canary, ended, into: &writer)
            }
            writer.endObject()
            request.exchange.answer(Answer(status: 200, .json, writer.bytes))
        }
    }

    private static func write(_ limits: AppLimits, into writer: inout JSONWriter) {
        writer.member(
            "limits", [("fuel", limits.fuel), ("memory_bytes", limits.memoryBytes), ("milliseconds", limits.milliseconds)])
    }

    private static func write(
        _ counters: AppCounters, _ canary: [CanaryCounters]?, _ ended: (ruleset: String, counters: [CanaryCounters])?,
        into writer: inout JSONWriter
    ) {
        writer.key("counters")
        writer.beginObject()
        writer.member("decisions", CanaryCounters.actions.map { ($0, counters.decisions[$0] ?? 0) })
        writer.member("rule_errors", counters.ruleErrors.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
        writer.member("strains", counters.strains.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
        writer.member("duplicates", counters.duplicates)
        writer.member("fuel", counters.fuel)
        if let canary { write(canary, into: &writer) }
        if let ended {
            writer.key("ended_canary")
            writer.beginObject()
            writer.member("ruleset", ended.ruleset)
            write(ended.counters, into: &writer)
            writer.endObject()
        }
        writer.endObject()
    }

    private static func write(_ canary: [CanaryCounters], into writer: inout JSONWriter) {
        writer.key("rulesets")
        writer.beginObject()
        for ((side, _), counters) in zip(CanaryCounters.sides, canary) {
            writer.key(side)
            writer.beginObject()
            writer.member("decisions", CanaryCounters.actions.map { ($0, counters.decisions[$0] ?? 0) })
            writer.member("errors", counters.errors)
            writer.endObject()
        }
        writer.endObject()
    }
}

extension HostProblem {
    static let tooMany = HostProblem(
        .queueFull, status: 503, detail: "more requests wait than the host takes", hint: "try again in a moment, or more slowly",
        retryAfter: 1)
}
