// What one call of a script's function did, line by line: read from the machine after the call, for whoever explains a
// decision. Bounded in lines, values and the length of a value by linetrace.c.
internal import CLuaGuard

public struct TracedCall: Sendable, Equatable {
    public struct Value: Sendable, Equatable {
        /// `msg.data.room`, `state.get("n")`, `device:is_showing("chat")`, or `return`.
        public var path: String
        /// JSON text; long texts and tables are cut, marked by "…".
        public var json: String

        public init(path: String, json: String) {
            self.path = path
            self.json = json
        }
    }

    public struct Line: Sendable, Equatable {
        public var file: String
        /// From 1.
        public var line: Int
        /// How often it ran.
        public var times: Int
        /// What it read, wrote or returned, each once.
        public var values: [Value] = []
        /// Values that found no place.
        public var valuesLeftOut = 0
    }

    /// Each once, in the order in which they first ran.
    public var lines: [Line] = []
    /// Runs of lines that found no place.
    public var linesLeftOut = 0
}

extension TracedCall {
    init(of machine: OpaquePointer) {
        let count = unsafe lg_machine_traced_count(machine)
        lines = (0..<count).map { index in
            let line = unsafe lg_machine_traced_line(machine, index)
            return unsafe Line(
                file: String(cString: line.file), line: Int(line.line), times: Int(line.times), valuesLeftOut: Int(line.left_out))
        }
        linesLeftOut = Int(unsafe lg_machine_traced_left_out(machine))
        for index in unsafe 0..<lg_machine_touched_count(machine) {
            let touched = unsafe lg_machine_touched(machine, index)
            guard unsafe touched.path != nil, unsafe touched.line < count else { continue }
            unsafe lines[touched.line].values.append(Value(path: String(cString: touched.path), json: String(cString: touched.json)))
        }
    }
}
