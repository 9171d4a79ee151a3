// Writes an expectation so that it holds of an answer, and keeps its shape: the keys that were expected and no others, what is
// right already to the byte. Called by CaseUpdate; it knows nothing of cases and files.
import JSONDocument
import RuleStore

/// One place of an expectation that is written anew.
public struct ExpectationChange: Sendable, Equatable {
    public let path: String
    /// Of the old value in its file, from 1.
    public let line: Int
    /// As JSON on one line; "null": nothing is there, or nothing must be there.
    public let old: String
    public let new: String
}

struct ExpectationRewriter {
    /// The text that the expectation is a part of.
    let source: [UInt8]
    private(set) var changes: [ExpectationChange] = []

    init(source: [UInt8]) { self.source = source }

    /// - Parameter got: nil: nothing is there.
    mutating func rewritten(_ expected: JSONValue, for got: JSONValue?, _ path: JSONPath) -> [UInt8] {
        let own = text(of: expected)
        guard !Subset.holds(expected, of: got) else { return Array(own) }
        guard let got, !got.isNull else { return changed(expected, to: Array("null".utf8), path) }
        if expected.isNull, let gist = ExpectationRewriter.gist(of: got) { return changed(expected, to: gist, path) }
        switch (expected.kind, got.kind) {
        case (.object, .object):
            return replacingChildren(of: expected) { member, _ in (got[member.key], path.appending(member.key.string)) }
        case (.array, .array):
            let areParts = expected.children.contains { $0.isObject || $0.isArray }
            guard areParts, expected.count == got.count else { return changed(expected, to: list(expected, for: got, path), path) }
            let elements = Array(got.children)
            return replacingChildren(of: expected) { _, place in (elements[place], path.appending(place)) }
        default: return changed(expected, to: ExpectationRewriter.json(got), path)
        }
    }

    private mutating func replacingChildren(
        of expected: JSONValue, with other: (JSONValue, Int) -> (got: JSONValue?, path: JSONPath)
    ) -> [UInt8] {
        var out: [UInt8] = []
        var place = expected.offset
        for (index, child) in expected.children.enumerated() {
            let (got, path) = other(child, index)
            out += source[place..<child.offset]
            out += rewritten(child, for: got, path)
            place = child.offset + child.sourceLength
        }
        return out + source[place..<(expected.offset + expected.sourceLength)]
    }

    private mutating func changed(_ expected: JSONValue, to new: [UInt8], _ path: JSONPath) -> [UInt8] {
        changes.append(
            ExpectationChange(
                path: path.text, line: TextPlace(of: expected.offset, in: source).line,
                old: String(decoding: JSONLayout.spaced(Array(text(of: expected))), as: UTF8.self),
                new: String(decoding: JSONLayout.spaced(new), as: UTF8.self)))
        return new
    }

    // MARK: lists of another length

    /// Elements keep the shape of the one that they follow from: of decisions that of the same event, else that at the same
    /// place. What is new has the shape of the first.
    private func list(_ expected: JSONValue, for got: JSONValue, _ path: JSONPath) -> [UInt8] {
        var left = Array(expected.children)
        let template = left.first { $0.isObject }
        let haveEvents = left.contains { $0["event"] != nil }
        var elements: [[UInt8]] = []
        for (index, element) in got.children.enumerated() {
            let place =
                if haveEvents {
                    left.firstIndex { $0["event"]?.text == element["event"]?.text }
                } else {
                    left.firstIndex { _ in index < expected.count }
                }
            if element.isObject, let place {
                var rewriter = ExpectationRewriter(source: source)
                elements.append(rewriter.rewritten(left.remove(at: place), for: element, path.appending(index)))
            } else if element.isObject, let template = template ?? nil {
                elements.append(ExpectationRewriter.json { write(element, like: template, to: &$0) })
            } else if element.isObject, path.text.isEmpty {
                elements.append(ExpectationRewriter.json { ExpectationRewriter.writeOutline(of: element, to: &$0) })
            } else {
                elements.append(ExpectationRewriter.json(element))
            }
        }
        return [UInt8(ascii: "[")] + elements.joined(separator: Array(", ".utf8)) + [UInt8(ascii: "]")]
    }

    /// Of an object the members that the template has, as far as they are there.
    private func write(_ value: JSONValue, like template: JSONValue, to writer: inout JSONWriter) {
        guard value.isObject, template.isObject else { return writer.value(value) }
        writer.beginObject()
        for member in template.children {
            guard let own = value[member.key], !own.isNull else { continue }
            writer.key(member.key)
            write(own, like: member, to: &writer)
        }
        writer.endObject()
    }

    /// Of a decision where none was expected: its event, and what is done.
    private static func writeOutline(of decision: JSONValue, to writer: inout JSONWriter) {
        writer.beginObject()
        if let event = decision["event"] {
            writer.key("event")
            writer.value(event)
        }
        if let action = decision["display"]?["action"] {
            writer.key("display")
            writer.beginObject()
            writer.key("action")
            writer.value(action)
            writer.endObject()
        }
        writer.endObject()
    }

    /// What matters of a part of a decision that was not expected at all, without who is behind it and why; nil: all of it.
    private static func gist(of part: JSONValue) -> [UInt8]? {
        guard let value = part.key == "display" ? part["action"] : part.key == "badge" ? part["value"] : nil else { return nil }
        return json { writer in
            writer.beginObject()
            writer.key(value.key)
            writer.value(value)
            writer.endObject()
        }
    }

    // MARK: text

    private func text(of value: JSONValue) -> ArraySlice<UInt8> { source[value.offset..<(value.offset + value.sourceLength)] }

    private static func json(_ value: JSONValue) -> [UInt8] { json { $0.value(value) } }

    private static func json(_ write: (inout JSONWriter) -> Void) -> [UInt8] {
        var writer = JSONWriter()
        write(&writer)
        return JSONLayout.spaced(writer.bytes)
    }
}
