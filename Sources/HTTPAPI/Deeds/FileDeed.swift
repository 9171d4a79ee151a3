// GET, PUT and DELETE /v1/apps/{app}/files/{path}: the rules, modules and cases of an app, for editors. Who changes a file says
// which one he has seen (If-Match, or If-None-Match: * for a new one); whoever comes second is refused, and has to look first.
import EffectStore
import HTTPServer
import JSONDocument
import RuleHosting
import RuleStore

struct FileDeed: CallerDeed {
    let host: RuleHost
    let clerk: Clerk
    var caller = Caller.local

    static let query = [QueryParameter(name: "why", kind: .text(most: 4_096), summary: "Why, for the audit")]

    func begin(_ head: RequestHead, _ exchange: Exchange) -> Intake {
        guard let path = FileDeed.path(head) else {
            return .answer(Answer(APIProblem.filePathInvalid.problem("an app has no such file", AppFilePath.form)))
        }
        let taking = Taking { request in
            clerk.perform(for: request) { () throws(HostProblem) in request.exchange.answer(try answer(request, path)) }
        }
        guard head.method == .put else { return .bodiless(taking) }
        return .whole(upTo: host.limit(of: path), taking, beyond: Answer(host.tooLarge(path, of: head.path[2])))
    }

    private func answer(_ request: Request, _ path: AppFilePath) throws(HostProblem) -> Answer {
        let (head, app) = (request.head, request.head.path[2])
        guard head.method == .put || head.method == .delete else { return try read(path, app, head) }
        let expected = try FileDeed.expectation(head)
        let bytes = head.method == .put ? request.body : nil
        let deed = Deed(by: caller, why: head.value(ofQuery: "why") ?? "")
        try host.change(path, of: app, to: bytes, expecting: expected, deed)
        guard let bytes else { return Answer(status: 204, AnswerFields()) }
        let tag = EntityTag.text(of: FileDigest(of: bytes))
        var writer = JSONWriter(reserving: 256)
        writer.beginObject()
        writer.member("path", path.description)
        writer.member("size", bytes.count)
        writer.member("etag", tag)
        writer.endObject()
        return Answer(status: expected == .absent ? 201 : 200, AnswerFields.json.adding("ETag", tag), writer.bytes)
    }

    private func read(_ path: AppFilePath, _ app: String, _ head: RequestHead) throws(HostProblem) -> Answer {
        let bytes = try host.file(path, of: app)
        let digest = FileDigest(of: bytes)
        let fields = FileDeed.fields.adding("ETag", EntityTag.text(of: digest))
        if let known = head.value(of: "if-none-match"), EntityTag(known).covers(digest) { return Answer(status: 304, fields) }
        return Answer(status: 200, fields, bytes)
    }

    /// What somebody has written is shown, and never taken for a page.
    private static let fields = AnswerFields(contentType: "text/plain; charset=utf-8").adding("X-Content-Type-Options", "nosniff")
        .adding("Cache-Control", "no-cache")

    /// A slash may have come encoded: programs that are made from the description write one value.
    private static func path(_ head: RequestHead) -> AppFilePath? {
        AppFilePath(head.path.dropFirst(4).flatMap { $0.split(separator: "/", omittingEmptySubsequences: false).map(String.init) })
    }

    private static func expectation(_ head: RequestHead) throws(HostProblem) -> FileExpectation {
        let (match, none) = (head.value(of: "if-match"), head.value(of: "if-none-match"))
        switch (match, none) {
        case (let match?, nil):
            let tag = EntityTag(match)
            if let word = tag.unquoted {
                throw HostProblem(
                    code: StoreFault.Code.fileChanged.rawValue, status: 412,
                    detail: "what stands in If-Match is the tag of no file: quotes belong to a tag",
                    hint: word.utf8.count <= 64 && word.allSatisfy(\.isHexDigit)
                        ? "write If-Match: \"\(word)\"" : "write it as it came with the file, or * for whatever is there")
            }
            return tag.expectation
        case (nil, "*") where head.method == .put: return .absent
        default:
            throw APIProblem.preconditionRequired.problem(
                "the request does not say which file it is about to change",
                "write If-Match: with the ETag of the file that was read, or If-None-Match: * for a new file")
        }
    }
}

/// What stands in If-Match and If-None-Match (RFC 9110 section 8.8.3): tags, or a star for whatever is there.
struct EntityTag {
    private let words: [Substring]
    private let isAny: Bool

    init(_ value: String) {
        isAny = value == "*"
        words = value.split(separator: ",").map { $0.drop { $0 == " " || $0 == "\t" } }.map { word in
            word.last == " " || word.last == "\t" ? word.prefix { $0 != " " && $0 != "\t" } : word
        }
    }

    static func text(of digest: FileDigest) -> String { "\"\(digest)\"" }

    /// Weak ones count here.
    func covers(_ digest: FileDigest) -> Bool {
        let text = EntityTag.text(of: digest)
        return isAny || words.contains { $0 == text || $0 == "W/\(text)" }
    }

    /// The first word that is not written as a tag is.
    var unquoted: String? {
        isAny ? nil : words.first { !$0.hasSuffix("\"") || !$0.hasPrefix("\"") && !$0.hasPrefix("W/\"") }.map { String($0) }
    }

    /// Weak ones fit nothing here.
    var expectation: FileExpectation {
        isAny ? .anything : .oneOf(words.filter { $0.hasPrefix("\"") && $0.hasSuffix("\"") }.map { String($0.dropFirst().dropLast()) })
    }
}
