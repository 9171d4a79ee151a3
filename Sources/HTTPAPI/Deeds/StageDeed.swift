// POST /v1/apps/{app}/promote and …/rollback: which rules are to be in force.
import EffectStore
import HTTPServer
import JSONDocument
import PushMessage
import RuleHosting

/// `{hash, stage?, percent?, why?}` brings a version to a stage; without a hash it goes back to the one before.
struct StageDeed: CallerDeed, RequestTaking {
    let host: RuleHost
    let goesBack: Bool
    var caller = Caller.local

    private struct Wish {
        var hash: String?
        var stage: String?
        var percent: Int?
        var why = ""
    }

    func begin(_ head: RequestHead, _ exchange: Exchange) -> Intake { .whole(upTo: 4_096, self) }

    func take(_ request: Request) {
        do throws(HostProblem) {
            let wish = try wish(request.body)
            let (app, deed) = (request.head.path[2], Deed(by: caller, why: wish.why))
            if goesBack {
                host.rollback(app: app, stage: wish.stage, deed) { answer(request, wish.stage, $0) }
            } else {
                guard let hash = wish.hash else { throw StageDeed.invalid("the body has no `hash`") }
                host.promote(app: app, hash: hash, to: wish.stage, percent: wish.percent, deed) { answer(request, wish.stage, $0) }
            }
        } catch {
            request.exchange.answer(Answer(error))
        }
    }

    private func wish(_ body: [UInt8]) throws(HostProblem) -> Wish {
        if body.isEmpty { return Wish() }
        let document = JSONDocument()
        do throws(JSONFault) { try document.read(body, limit: 4_096, depth: 8) } catch { throw HostProblem(error) }
        guard let root = document.root, root.isObject else { throw StageDeed.invalid("the body is not a JSON object") }
        var wish = Wish()
        for member in root.children {
            switch (member.key.string, member.text?.string) {
            case ("hash", let text?) where !goesBack: wish.hash = text
            case ("stage", let text?): wish.stage = text
            case ("why", let text?): wish.why = text
            case ("percent", nil) where !goesBack:
                guard let percent = member.wholeNumber, 1...99 ~= percent else {
                    throw StageDeed.invalid("`percent` is a number from 1 to 99")
                }
                wish.percent = percent
            case (let key, _): throw unknown(key)
            }
        }
        return wish
    }

    private func unknown(_ key: String) -> HostProblem {
        let keys = goesBack ? ["stage", "why"] : ["hash", "stage", "percent", "why"]
        if keys.contains(key) { return StageDeed.invalid("`\(key)` is not a text") }
        let meant = DidYouMean.nearest(to: key, among: keys).map { "did you mean `\($0)`?" }
        return StageDeed.invalid("the body has no key `\(key.prefix(64))`", meant ?? "it knows \(keys.joined(separator: ", "))")
    }

    private static func invalid(_ detail: String, _ hint: String? = nil) -> HostProblem {
        HostProblem(
            .requestInvalid, status: 400, detail: detail, hint: hint ?? "write {\"hash\": \"…\", \"stage\": \"…\", \"why\": \"…\"}")
    }

    /// What is in force in this host, and of which stage something was changed: a misspelt one is not the host's.
    private func answer(_ request: Request, _ stage: String?, _ result: Result<AppInfo, HostProblem>) {
        switch result {
        case .success(let info):
            let served = host.settings.stage ?? VersionDesk.draft
            var writer = JSONWriter(reserving: 512)
            writer.beginObject()
            info.write(into: &writer)
            writer.member("stage", stage ?? served)
            writer.member("serves", served)
            if let stage, stage != served {
                writer.member("hint", "this host serves \(served): what is on \(stage) is in force where `serve --stage \(stage)` runs")
            }
            writer.endObject()
            request.exchange.answer(Answer(status: 200, .json, writer.bytes))
        case .failure(let problem): request.exchange.answer(Answer(problem))
        }
    }
}
