// POST /v1/apps/{app}/diff: what would have been different for traffic that is sent along, by other rules: a version that is kept, the
// folder, files that are not saved. One comparison at a time, on a thread of its own; it ends when its client goes or the server ends.
import HTTPServer
import JSONDocument
import RuleHosting

struct DiffDeed: CallerDeed {
    let host: RuleHost
    let thread: LoneThread
    var caller = Caller.local

    static let mostBody = 4 << 20
    static let mostLines = 10_000

    func begin(_ head: RequestHead, _ exchange: Exchange) -> Intake {
        let interest = Interest()
        return .whole(upTo: DiffDeed.mostBody, Taking { take($0, interest) }, while: interest)
    }

    private func take(_ request: Request, _ interest: Interest) {
        let isBegun = thread.begin {
            let answer = answer(request, interest)
            return { request.exchange.answer(answer) }
        }
        if !isBegun { request.exchange.answer(Answer(DiffDeed.busy)) }
    }

    private func answer(_ request: Request, _ interest: Interest) -> Answer {
        do throws(HostProblem) {
            let wish = try DiffRequest.read(request.body, app: request.head.path[2])
            if wish.hasDraft, !caller.may(.edit) { throw .tokenRole(.edit) }
            return Answer(status: 200, .json, try host.compare(wish) { interest.lasts })
        } catch {
            return Answer(error)
        }
    }

    private static let busy = HostProblem(
        .queueFull, status: 503, detail: "another comparison is under way, and a host makes one at a time", hint: "try again in a moment",
        retryAfter: 5)
}

extension ComparisonWish {
    fileprivate var hasDraft: Bool {
        [old, new].contains { if case .draft = $0 { true } else { false } }
    }
}
