// Reads what is to be compared: `{old?, new?, traffic}`. The lines of traffic stay where they are in the body; whoever compares reads
// them. Used by DiffDeed.
import HTTPServer
import JSONDocument
import PushMessage
import RuleHosting
import RuleStore

enum DiffRequest {
    private static let keys = ["old", "new", "traffic"]

    static func read(_ body: [UInt8], app: String) throws(HostProblem) -> ComparisonWish {
        let document = JSONDocument()
        // A line may be 72 deep, and stands in a list of an object.
        do throws(JSONFault) { try document.read(body, limit: DiffDeed.mostBody, depth: 74) } catch { throw HostProblem(error) }
        guard let root = document.root, root.isObject else { throw invalid("the body is not a JSON object", pointer: "") }
        var wish = ComparisonWish(app: app, text: body, lines: [])
        var traffic: JSONValue?
        for member in root.children {
            switch member.key.string {
            case "old": if !member.isNull { wish.old = try side(member, "old") }
            case "new": if !member.isNull { wish.new = try side(member, "new") }
            case "traffic": traffic = member
            case let key:
                throw invalid(
                    "a comparison has no key `\(key.prefix(64))`", pointer: "/\(key.pointerStep)",
                    hint: DidYouMean.nearest(to: key, among: keys).map { "did you mean `\($0)`?" })
            }
        }
        guard let traffic else { throw invalid("the body has no `traffic`", pointer: "") }
        guard traffic.isArray else { throw invalid("`traffic` is not a list", pointer: "/traffic") }
        for line in traffic.children {
            guard wish.lines.count < DiffDeed.mostLines else { throw tooMuch }
            wish.lines.append(line.offset..<line.offset + line.sourceLength)
        }
        return wish
    }

    private static func side(_ value: JSONValue, _ key: String) throws(HostProblem) -> ComparisonWish.Side {
        switch value.text?.string {
        case "serving": return .serving
        case "folder": return .folder
        case let hash? where hash.utf8.allSatisfy(isDigit): return .version(hash)
        case let word?:
            throw invalid(
                "`\(key)` is \"\(word.prefix(64))\", which is no side of a comparison", pointer: "/\(key)",
                hint: DidYouMean.nearest(to: word, among: ["serving", "folder"]).map { "did you mean \"\($0)\"?" })
        case nil: break
        }
        var files: [DraftFile]?
        for member in value.children where value.isObject {
            guard member.key == "files" else {
                throw invalid("a side has no key `\(member.key.string.prefix(64))`", pointer: "/\(key)/\(member.key.string.pointerStep)")
            }
            files = try DraftFile.read(member, at: "/\(key)/files", hint: form)
        }
        guard let files else { throw invalid("`\(key)` is neither a text nor {\"files\": {…}}", pointer: "/\(key)") }
        return .draft(files)
    }

    /// Of a hash.
    private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte) }

    private static let form =
        #"write {"old": "serving", "new": "folder", "traffic": [{"at": …, "app": …, "message": {…}, "device": {…}}]}; a side may also be the hash of a version or {"files": {"rules.lua": "…"}}"#

    private static func invalid(_ detail: String, pointer: String, hint: String? = nil) -> HostProblem {
        HostProblem(
            code: HostProblem.Code.requestInvalid.rawValue, status: 400, detail: detail, hint: hint ?? form, pointer: pointer)
    }

    private static let tooMuch = HostProblem(
        code: HostProblem.Code.requestInvalid.rawValue, status: 422, detail: "the traffic has more than \(DiffDeed.mostLines) lines",
        hint: "send it in parts, or compare with `rulehost diff`, which takes any number", pointer: "/traffic")
}

extension DraftFile {
    /// Names and texts, null for a file that is to be away. No name leads out of the app's folder, or is that of a file that no app has.
    static func read(_ value: JSONValue, at pointer: String, hint: String) throws(HostProblem) -> [DraftFile] {
        func invalid(_ detail: String, _ pointer: String) -> HostProblem {
            HostProblem(code: HostProblem.Code.requestInvalid.rawValue, status: 400, detail: detail, hint: hint, pointer: pointer)
        }
        guard value.isObject else { throw invalid("`files` is not an object", pointer) }
        var files: [DraftFile] = []
        for file in value.children {
            let name = file.key.string
            let place = "\(pointer)/\(name.pointerStep)"
            guard AppFilePath.isOfDraft(name.split(separator: "/", omittingEmptySubsequences: false).map(String.init)) else {
                var problem = APIProblem.filePathInvalid.problem("an app has no file of this name", AppFilePath.form)
                problem.pointer = place
                throw problem
            }
            guard file.isNull || file.isString else { throw invalid("a file is its text, or null", place) }
            files.append(DraftFile(path: name, bytes: file.text.map { Array($0.bytes) }))
        }
        return files
    }
}
