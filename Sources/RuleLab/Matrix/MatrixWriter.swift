// A matrix as JSON: the merged table, or every combination by itself. The same matrix gives the same bytes.
public import JSONDocument
import PushMessage
import RuleEngine

public enum MatrixWriter {
    /// The merged table.
    /// - Parameter head: writes further keys in front: what has been asked.
    public static func write(_ matrix: Matrix, into writer: inout JSONWriter, head: (inout JSONWriter) -> Void = { _ in }) {
        writer.beginObject()
        head(&writer)
        writer.member("combinations", matrix.grid.count)
        writer.key("inputs")
        writer.beginArray()
        for (place, input) in matrix.grid.inputs.enumerated() { write(input, matrix, place, into: &writer) }
        writer.endArray()
        writer.key("rows")
        writer.beginArray()
        for row in matrix.table.rows { write(row, matrix, into: &writer) }
        writer.endArray()
        if !matrix.warnings.isEmpty { write(matrix.warnings, into: &writer) }
        writer.endObject()
    }

    /// One combination, by its number.
    public static func write(_ number: Int, of matrix: Matrix, into writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("when")
        writer.beginObject()
        for (input, place) in zip(matrix.grid.inputs, matrix.grid.places(of: number)) {
            writer.member(input.name, input.values[place].label)
        }
        writer.endObject()
        write(matrix.answers[matrix.places[number]], into: &writer)
        writer.endObject()
    }

    private static func write(_ input: MatrixInput, _ matrix: Matrix, _ place: Int, into writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("name", input.name)
        writer.member("matters", matrix.table.matters(place))
        writer.key("values")
        writer.beginArray()
        for value in input.values { writer.string(value.label) }
        writer.endArray()
        writer.key("alike")
        writer.beginArray()
        for group in matrix.table.groups[place] {
            writer.beginArray()
            for value in group { writer.string(input.values[value].label) }
            writer.endArray()
        }
        writer.endArray()
        writer.endObject()
    }

    private static func write(_ row: MergedTable.Row, _ matrix: Matrix, into writer: inout JSONWriter) {
        writer.beginObject()
        writer.key("when")
        writer.beginObject()
        for (input, places) in zip(matrix.grid.inputs, row.places) {
            guard let places else { continue }
            writer.key(input.name)
            writer.beginArray()
            for place in places { writer.string(input.values[place].label) }
            writer.endArray()
        }
        writer.endObject()
        writer.member("combinations", row.count)
        write(matrix.answers[row.answer], into: &writer)
        writer.endObject()
    }

    /// Always a list: of a named event it has one.
    private static func write(_ answer: Matrix.Answer, into writer: inout JSONWriter) {
        writer.key("decisions")
        writer.beginArray()
        for decision in answer.decisions { DecisionWriter.write(decision, into: &writer) }
        writer.endArray()
    }

    private static func write(_ warnings: [Warning], into writer: inout JSONWriter) {
        writer.key("warnings")
        writer.beginArray()
        for warning in warnings {
            writer.beginObject()
            for (key, text) in [
                ("code", warning.code.rawValue), ("path", warning.path), ("message", warning.message), ("hint", warning.hint ?? ""),
            ] where !text.isEmpty {
                writer.member(key, text)
            }
            writer.endObject()
        }
        writer.endArray()
    }
}
