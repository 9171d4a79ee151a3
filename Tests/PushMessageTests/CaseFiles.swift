// Finds the data cases beside the tests and compares JSON values the way their README says.
import Foundation
import JSONDocument
import PushMessage

enum CaseFiles {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Cases")

    /// The JSON files of a folder, by name.
    static func files(in name: String) -> [URL] {
        let folder = folder.appendingPathComponent(name)
        let files = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
        return files.filter { $0.pathExtension == "json" }.sorted { $0.lastPathComponent < $1.lastPathComponent }
    }

    static func document(_ url: URL) throws -> JSONDocument {
        let document = JSONDocument()
        try document.read(Array(Data(contentsOf: url)), limit: 1 << 20)
        return document
    }
}

/// A value as JSON text.
func jsonText(_ value: JSONValue) -> String {
    var writer = JSONWriter()
    writer.value(value)
    return String(decoding: writer.bytes, as: UTF8.self)
}

/// What differs between two values: sentences with the path of each difference. Order of members counts where
/// `ordered` says so.
func differences(_ actual: JSONValue?, _ expected: JSONValue?, at path: String, ordered: Bool = false) -> [String] {
    guard let actual, let expected else {
        if actual == nil, expected == nil { return [] }
        return ["\(path): is \(actual.map(jsonText) ?? "absent"), not \(expected.map(jsonText) ?? "absent")"]
    }
    if expected.isObject, actual.isObject {
        var found: [String] = []
        let names = expected.children.map { $0.key.string }
        let others = actual.children.map { $0.key.string }.filter { !names.contains($0) }
        for name in names + others {
            found += differences(actual[name], expected[name], at: path + "." + name)
        }
        if found.isEmpty, ordered, actual.children.map({ $0.key.string }) != names {
            found.append("\(path): members in the order \(actual.children.map { $0.key.string })")
        }
        return found
    }
    if expected.isArray, actual.isArray {
        guard expected.count == actual.count else {
            return ["\(path): is \(jsonText(actual)), not \(jsonText(expected))"]
        }
        return zip(actual.children, expected.children).enumerated().flatMap { index, pair in
            differences(pair.0, pair.1, at: "\(path)[\(index)]")
        }
    }
    if let pattern = expected.text?.string, pattern == "hash:*", let text = actual.text?.string {
        let digits = text.dropFirst("hash:".count)
        let isHash = text.hasPrefix("hash:") && digits.count == 32 && digits.allSatisfy { "0123456789abcdef".contains($0) }
        return isHash ? [] : ["\(path): \(text) is no hash"]
    }
    return jsonText(actual) == jsonText(expected) ? [] : ["\(path): is \(jsonText(actual)), not \(jsonText(expected))"]
}
