// Any bytes as a state file: refused with a place, or read; what was read is written, read again and written the same.
@testable import RuleStore

final class StateFuzzer: Fuzzer {
    func run(_ bytes: UnsafeRawBufferPointer) {
        do throws(StoreFault) {
            let state = try StateFile.parse(Array(bytes), path: "state.json")
            let file = StateWriter.file(state)
            demandJSON(file, "a state file")
            let again = must("a state that was written is read: \(text(file))") { try StateFile.parse(file, path: "state.json") }
            demand(StateWriter.file(again) == file, "a state that was read is written the same: \(text(file))")
        } catch {
            demand(!error.message.isEmpty && error.line >= 1 && error.column >= 1, "a fault has a place: \(error)")
        }
    }
}
