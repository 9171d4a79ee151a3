// What `check` has found as SARIF 2.1.0 (OASIS), which code-scanning services read: each check as a rule with its page, each
// finding as a result. Paths are relative to the folder in which the program was started.
import JSONDocument
import RuleCheck
import RuleReference
import RuleStore

struct SarifCheck {
    /// Where the folder docs can be read; nil: a name that is only a name.
    let docs: String?

    private static let schema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

    func text(_ reports: [CheckedReport]) -> [UInt8] {
        var json = JSONWriter(reserving: 1 << 16)
        let codes = Check.all.flatMap(\.codes).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        json.beginObject()
        text("$schema", SarifCheck.schema, &json)
        text("version", "2.1.0", &json)
        json.key("runs")
        json.beginArray()
        json.beginObject()
        json.key("tool")
        json.beginObject()
        json.key("driver")
        json.beginObject()
        text("name", "rulehost", &json)
        text("semanticVersion", Program.version, &json)
        json.key("rules")
        json.beginArray()
        for code in codes { rule(code, &json) }
        json.endArray()
        json.endObject()
        json.endObject()
        // Columns are counted in characters, not in UTF-16.
        text("columnKind", "unicodeCodePoints", &json)
        json.key("results")
        json.beginArray()
        for entry in reports.flatMap(\.entries) { result(entry, codes, &json) }
        json.endArray()
        json.endObject()
        json.endArray()
        json.endObject()
        return JSONLayout.document(json.bytes)
    }

    private func rule(_ code: String, _ json: inout JSONWriter) {
        json.beginObject()
        text("id", code, &json)
        let page = FindingEntry.page(of: code)
        if let entry = FindingEntry.of(code) {
            message("shortDescription", entry.summary, &json)
            message("fullDescription", ([entry.summary] + entry.details).joined(separator: "\n\n"), &json)
            json.key("help")
            json.beginObject()
            text("text", ([entry.summary] + entry.details).joined(separator: "\n\n"), &json)
            text("markdown", entry.markdown, &json)
            json.endObject()
        }
        text("helpUri", address(ofPage: page, code), &json)
        json.endObject()
    }

    private func result(_ entry: CheckedReport.Entry, _ codes: [String], _ json: inout JSONWriter) {
        let finding = entry.finding
        json.beginObject()
        text("ruleId", finding.code, &json)
        if let place = codes.firstIndex(of: finding.code) {
            json.key("ruleIndex")
            json.integer(place)
        }
        text("level", finding.severity.rawValue, &json)
        message("message", finding.message + (finding.hint.map { (finding.message.hasSuffix("?") ? " " : ". ") + $0 } ?? ""), &json)
        json.key("locations")
        json.beginArray()
        json.beginObject()
        json.key("physicalLocation")
        json.beginObject()
        json.key("artifactLocation")
        json.beginObject()
        text("uri", address(of: entry.path), &json)
        json.endObject()
        if finding.line > 0 {
            json.key("region")
            json.beginObject()
            json.key("startLine")
            json.integer(finding.line)
            if finding.column > 0 {
                json.key("startColumn")
                json.integer(finding.column)
            }
            json.endObject()
        }
        json.endObject()
        json.endObject()
        json.endArray()
        json.endObject()
    }

    private func address(ofPage page: String, _ code: String) -> String {
        guard let docs else { return "urn:rulehost:\(code)" }
        return (docs.hasSuffix("/") ? String(docs.dropLast()) : docs) + page.dropFirst("docs".count)
    }

    private func text(_ key: StaticString, _ value: String, _ json: inout JSONWriter) {
        json.key(key)
        json.string(value)
    }

    private func message(_ key: StaticString, _ value: String, _ json: inout JSONWriter) {
        json.key(key)
        json.beginObject()
        text("text", value, &json)
        json.endObject()
    }

    /// A path as a URI reference: what such a reference cannot have is written with %.
    private func address(of path: String) -> String {
        let prefix = path.hasPrefix("/") ? "file://" : ""
        let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/".utf8)
        let hex = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in path.utf8 {
            if plain.contains(byte) { bytes.append(byte) } else { bytes += [UInt8(ascii: "%"), hex[Int(byte >> 4)], hex[Int(byte & 15)]] }
        }
        return prefix + String(decoding: bytes, as: UTF8.self)
    }
}
