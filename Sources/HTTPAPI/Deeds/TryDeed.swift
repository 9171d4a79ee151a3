// POST /v1/apps/{app}/try: what files that are not saved would decide, with the trace; nothing is kept. For editors. The body is that
// of a decision with `files` beside: paths in the app's folder, and texts, or null for a file that is to be away. Cases are run only as long
// as somebody wants to know.
import HTTPServer
import JSONDocument
import RuleHosting

struct TryDeed: RouteDeed {
    let host: RuleHost
    let desk: TrialDesk

    /// An app has at most a mebibyte of source, which may grow in JSON.
    static let mostBody = 4 << 20

    func begin(_ head: RequestHead, _ exchange: Exchange) -> Intake {
        let trial = WaitingTrial(desk, of: head.path[2])
        return .whole(upTo: TryDeed.mostBody, Taking { take($0, trial) }, while: trial)
    }

    private func take(_ request: Request, _ trial: WaitingTrial) {
        let exchange = request.exchange
        guard trial.wait(with: request.body) else { return exchange.answer(Answer(TryDeed.tooMany)) }
        var options = DecideOptions(asked: request.head)
        options.isDryRun = true
        if request.head.value(ofQuery: "trace") == nil { options.trace = .rules }
        host.tryOut(
            app: request.head.path[2], options: options, mayGoOn: { trial.lasts },
            wish: { () throws(HostProblem) in
                guard let body = trial.begin() else { return nil }
                return try TryDeed.wish(body)
            },
            {
                // First, so that whoever hears of it may come at once.
                trial.end()
                exchange.answer(Answer($0))
            })
    }

    private static let tooMany = HostProblem(
        .queueFull, status: 503, detail: "more trials wait than the host takes, of this app or of all",
        hint: "try again in a moment, or more slowly", retryAfter: 1)

    /// The files and the request without them, which is none where only cases are meant.
    private static func wish(_ body: [UInt8]) throws(HostProblem) -> TrialWish {
        let document = JSONDocument()
        do throws(JSONFault) { try document.read(body, limit: TryDeed.mostBody, depth: 72) } catch { throw HostProblem(error) }
        guard let root = document.root, root.isObject else { throw TryDeed.invalid("the body is not a JSON object", pointer: "") }
        var files: [DraftFile] = []
        var cases = DraftCases.own
        var asks = false
        var writer = JSONWriter(reserving: 4_096)
        writer.beginObject()
        for member in root.children {
            switch member.key.string {
            case "files": files = try DraftFile.read(member, at: "/files", hint: TryDeed.form)
            case "cases":
                guard let isWanted = member.bool else { throw TryDeed.invalid("`cases` is neither true nor false", pointer: "/cases") }
                cases = isWanted ? .all : .none
            case let key:
                asks = asks || (key == "message" || key == "event") && !member.isNull
                writer.member(key, json: Array(body[member.offset..<member.offset + member.sourceLength]))
            }
        }
        writer.endObject()
        return TrialWish(files: files, body: asks || !cases.areWanted(of: files) ? writer.bytes : nil, cases: cases)
    }

    private static let form = "write {\"files\": {\"rules.lua\": \"…\"}, \"message\": {…}, \"device\": {…}}"

    private static func invalid(_ detail: String, pointer: String) -> HostProblem {
        var problem = HostProblem(
            .requestInvalid, status: 400, detail: detail, hint: form)
        problem.pointer = pointer
        return problem
    }

    static let query = DecideDeed.query.filter { $0.name != "dry_run" }
}
