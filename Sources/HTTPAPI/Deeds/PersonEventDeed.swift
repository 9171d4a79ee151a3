// POST /v1/apps/{app}/recipients/{id}/events: what happened to a person besides a message: logged in, has a new token, changed a
// switch, came back. A decision like any other, about the recipient of the path; its body is that of a decision, and must name an event.
import HTTPServer
import JSONDocument
import PushMessage
import RuleHosting
import RuleStore

struct PersonEventDeed: CallerDeed, RequestTaking {
    var decide: DecideDeed
    var caller: Caller {
        get { decide.caller }
        set { decide.caller = newValue }
    }

    func begin(_ head: RequestHead, _ exchange: Exchange) -> Intake { .whole(upTo: decide.mostBody, self) }

    func take(_ request: Request) {
        do throws(HostProblem) {
            let body = try PersonEventDeed.body(request.body, about: request.head.path[4], limit: decide.mostBody)
            decide.take(request, body)
        } catch {
            request.exchange.answer(Answer(error))
        }
    }

    /// With the recipient in the device. What stands before that stays where it was, so that places in problems are right.
    static func body(_ body: [UInt8], about recipient: String, limit: Int) throws(HostProblem) -> [UInt8] {
        let document = JSONDocument()
        do throws(JSONFault) { try document.read(body, limit: limit, depth: 72) } catch { throw HostProblem(error) }
        guard let root = document.root, root.isObject else {
            throw PersonEventDeed.invalid("the body is not a JSON object", pointer: "")
        }
        if let other = root.children.first(where: { !keys.contains($0.key.string) }) { throw unknown(other, in: body) }
        guard let event = root["event"], !event.isNull else { throw PersonEventDeed.invalid("the body has no `event`", pointer: "") }
        var writer = JSONWriter()
        writer.string(recipient)
        let member = Array("\"recipient\":".utf8) + writer.bytes
        // What is null is as if it were not there. What is put behind it counts, as the last one of two.
        guard let device = root["device"], !device.isNull else {
            return inserted(Array("\"device\":{".utf8) + member + [0x7d], into: root, of: body)
        }
        // What is no device is refused where devices are read.
        guard device.isObject else { return body }
        guard let named = device["recipient"], !named.isNull else { return inserted(member, into: device, of: body) }
        // To the byte: two texts that look alike are two people.
        guard let name = named.text, name == recipient else {
            var problem = PersonEventDeed.invalid("the device names another recipient than the path", pointer: "/device/recipient")
            // Each of them could stand there alone.
            problem.status = 422
            throw problem
        }
        return body
    }

    /// A member more, behind those that an object has.
    private static func inserted(_ member: [UInt8], into object: JSONValue, of body: [UInt8]) -> [UInt8] {
        let end = object.offset + object.sourceLength - 1
        let comma: [UInt8] = object.children.contains { _ in true } ? [0x2c] : []
        return Array(body[..<end]) + comma + member + Array(body[end...])
    }

    private static let keys = ["event", "device", "message", "now"]

    private static func unknown(_ member: JSONValue, in body: [UInt8]) -> HostProblem {
        let key = member.key.string
        var problem = invalid("the body has no key `\(key.prefix(64))`", pointer: "/\(key.pointerStep)")
        if let meant = DidYouMean.nearest(to: key, among: keys) { problem.hint = "did you mean `\(meant)`?" }
        problem.place = TextPlace(ofKey: member, in: body)
        return problem
    }

    private static func invalid(_ detail: String, pointer: String) -> HostProblem {
        var problem = HostProblem(
            .requestInvalid, status: 400, detail: detail,
            hint: "write {\"event\": {\"name\": \"account\", \"op\": \"login\", …}, \"device\": {…}}; the path says whom it is about")
        problem.pointer = pointer
        return problem
    }
}
