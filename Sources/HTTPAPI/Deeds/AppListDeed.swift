// GET /v1/apps/{app}/files, versions, one of these and its files, and deferred: what an app has, as `{name: [{…}, …]}`. Looked up on the clerk's thread, because the
// folder or the store is asked.
import EffectStore
import HTTPServer
import JSONDocument
import PushMessage
import RuleEngine
import RuleHosting
import RuleStore

struct AppListDeed: RouteDeed {
    let host: RuleHost
    let clerk: Clerk
    private let list: @Sendable (RuleHost, RequestHead, _ app: String) throws(HostProblem) -> Answer

    func begin(_ head: RequestHead, _ exchange: Exchange) -> Intake {
        .bodiless(
            AppTaking(host: host, clerk: clerk) { [host, list] (request, app) throws(HostProblem) in try list(host, request.head, app) })
    }

    /// The rules, modules and cases.
    static func files(_ host: RuleHost, _ clerk: Clerk) -> AppListDeed {
        AppListDeed(host: host, clerk: clerk) { (host, _, app) throws(HostProblem) in
            Answer(list: "files", try host.files(of: app)) { file, writer in
                writer.member("path", file.path.description)
                if file.isLink { return writer.member("link", true) }
                writer.member("size", file.size)
                if let digest = file.digest { writer.member("etag", EntityTag.text(of: digest)) }
            }
        }
    }

    /// Which rules were in force when.
    static func versions(_ host: RuleHost, _ clerk: Clerk) -> AppListDeed {
        AppListDeed(host: host, clerk: clerk) { (host, _, app) throws(HostProblem) in
            Answer(list: "versions", try host.versions(of: app)) { version, writer in
                writer.member("hash", version.hash)
                writer.member("at", version.at.text)
                writer.member("who", version.who)
                writer.member("why", version.why)
                writer.key("stages")
                writer.beginArray()
                for stage in version.stages { writer.string(stage) }
                writer.endArray()
            }
        }
    }

    static let changeQuery = [
        QueryParameter(
            name: "from", kind: .text(most: 64), summary: "Another version, from which it differs; else the one that was kept before it")
    ]

    /// What a version has changed.
    static func change(_ host: RuleHost, _ clerk: Clerk) -> AppListDeed {
        AppListDeed(host: host, clerk: clerk) { (host, head, app) throws(HostProblem) in
            let change = try host.change(app: app, of: head.path[4], from: head.value(ofQuery: "from"))
            var writer = JSONWriter(reserving: 4_096)
            writer.beginObject()
            writer.member("app", app)
            writer.member("hash", change.hash)
            if let before = change.before { writer.member("from", before) }
            writer.key("files")
            writer.beginArray()
            for file in change.files {
                writer.beginObject()
                writer.member("path", file.path)
                writer.member("change", file.kind)
                writer.key("lines")
                writer.beginArray()
                for line in file.lines { writer.string(line) }
                writer.endArray()
                writer.endObject()
            }
            writer.endArray()
            writer.endObject()
            return Answer(status: 200, .json, writer.bytes)
        }
    }

    /// What it consists of.
    static func versionFiles(_ host: RuleHost, _ clerk: Clerk) -> AppListDeed {
        AppListDeed(host: host, clerk: clerk) { (host, head, app) throws(HostProblem) in
            let (hash, files) = try host.files(app: app, ofVersion: head.path[4])
            var writer = JSONWriter(reserving: 16_384)
            writer.beginObject()
            writer.member("app", app)
            writer.member("hash", hash)
            writer.key("files")
            writer.beginObject()
            for file in files { writer.member(file.path, String(decoding: file.bytes, as: UTF8.self)) }
            writer.endObject()
            writer.endObject()
            return Answer(status: 200, .json, writer.bytes)
        }
    }

    static let deferredQuery = [
        QueryParameter(name: "newest", kind: .number(1...1_000), summary: "How many, those that come next; 100 when nothing is said")
    ]

    /// What is waiting for its moment.
    static func deferred(_ host: RuleHost, _ clerk: Clerk) -> AppListDeed {
        AppListDeed(host: host, clerk: clerk) { (host, head, app) throws(HostProblem) in
            let count = head.value(ofQuery: "newest").flatMap { Int($0) } ?? 100
            return Answer(list: "deferred", try host.deferred(of: app, first: count)) { message, writer in
                writer.member("recipient", message.recipient)
                writer.member("id", message.id)
                writer.member("at", message.at.text)
            }
        }
    }
}

extension Answer {
    /// `{name: [{…}, …]}`
    init<Element>(list name: String, _ elements: [Element], _ write: (Element, inout JSONWriter) -> Void) {
        var writer = JSONWriter(reserving: 1_024)
        writer.beginObject()
        writer.key(name)
        writer.beginArray()
        for element in elements {
            writer.beginObject()
            write(element, &writer)
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
        self.init(status: 200, .json, writer.bytes)
    }
}
