// Takes a request that needs no body: everything that it says stands in its path and its query. An empty object is none either, because
// programs that make clients send one where they cannot send nothing; anything else is refused, for whoever sends it means something by it.
import HTTPServer
import JSONDocument
import RuleHosting

struct Bodiless: RequestTaking {
    private let taker: any RequestTaking
    /// Bytes in which it can be none.
    fileprivate static let most = 4_096

    fileprivate init(_ taker: any RequestTaking) { self.taker = taker }

    func take(_ request: Request) {
        if Bodiless.isNone(request.body) { taker.take(request) } else { request.exchange.answer(Answer(Bodiless.refusal)) }
    }

    private static func isNone(_ body: [UInt8]) -> Bool {
        if body.allSatisfy({ [0x20, 0x09, 0x0A, 0x0D].contains($0) }) { return true }
        let document = JSONDocument()
        do throws(JSONFault) { try document.read(body, limit: most) } catch { return false }
        guard let root = document.root else { return true }
        return root.isNull || root.isObject && !root.children.contains { _ in true }
    }

    fileprivate static let refusal = HostProblem(
        .requestInvalid, status: 400, detail: "this request takes no body",
        hint: "what it needs stands in its path and its query; GET /openapi.json says what it takes")
}

extension Intake {
    static func bodiless(_ taker: any RequestTaking) -> Intake {
        .whole(upTo: Bodiless.most, Bodiless(taker), beyond: Answer(Bodiless.refusal))
    }
}
