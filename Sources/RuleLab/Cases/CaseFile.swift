// One file of cases, read. Owns the text that the values of its cases are views into.
import JSONDocument
import PushMessage
import RuleStore

// SAFETY: nothing of it changes after `init`, and a document that has been read is only looked at.
public final class CaseFile: @unchecked Sendable {
    /// Relative to the app's folder: "cases/banner.json".
    public let path: String
    public var source: [UInt8] { places.text }
    /// Where what stands in it.
    let places: TextPlaces
    /// In the order in which they stand.
    public private(set) var entries: [Entry] = []
    private let document = JSONDocument()

    /// One element of the list. A broken one keeps nobody from running the others.
    public enum Entry: Sendable {
        case readable(Case)
        /// `name` is nil when it has none.
        case broken(name: String?, place: Int, CaseFault)
    }

    public var cases: [Case] {
        entries.compactMap { if case .readable(let one) = $0 { one } else { nil } }
    }

    /// Finds the content of a file that a case names.
    public typealias Lookup = (_ name: String) throws(CaseFault) -> [UInt8]

    public init(path: String, source: [UInt8], lookup: @escaping Lookup) throws(CaseFault) {
        self.path = path
        places = TextPlaces(source)
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
        let reader = CaseReader(places: places, lookup: lookup)
        for (place, value) in root.children.enumerated() {
            do throws(CaseFault) {
                entries.append(.readable(try reader.read(value)))
            } catch {
                entries.append(.broken(name: value["name"]?.text?.string, place: place + 1, error))
            }
        }
    }
}
