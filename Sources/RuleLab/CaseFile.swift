// One file of cases, read. Owns the text that the values of its cases are views into.
import JSONDocument
import PushMessage
import RuleStore

public final class CaseFile {
    /// Relative to the app's folder: "cases/banner.json".
    public let path: String
    public let source: [UInt8]
    public private(set) var cases: [Case] = []
    private let document = JSONDocument()

    /// Finds the content of a file that a case names.
    public typealias Lookup = (_ name: String) throws(CaseFault) -> [UInt8]

    public init(path: String, source: [UInt8], lookup: @escaping Lookup) throws(CaseFault) {
        self.path = path
        self.source = source
        do {
            try document.read(source, limit: 16 << 20)
        } catch {
            throw CaseFault(line: error.line, column: error.column, message: error.message, hint: error.hint)
        }
        guard let root = document.root, root.isArray else {
            throw CaseFault(
                code: .caseFileNotAList, line: 1, column: 1, message: "a file of cases is a list of objects, [ { … } ]",
                hint: "a message or a device may stand here when a case names its file")
        }
        let reader = CaseReader(source: source, lookup: lookup)
        var names: Set<String> = []
        for value in root.children {
            let read = try reader.read(value)
            guard names.insert(read.name).inserted else {
                throw reader.fault(value, "there are two cases named \"\(read.name)\"", hint: "give one of them another name")
            }
            cases.append(read)
        }
    }
}
