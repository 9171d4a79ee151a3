// A whole value of a tape as JSON text: numbers that were read keep their digits, shadowed members are left out. Depth
// is what the tape's maker allowed, so the walk keeps its own stack.
extension JSONWriter {
    public mutating func value(_ value: JSONValue) {
        if !value.isObject && !value.isArray {
            scalar(value)
            return
        }
        var open: [(children: JSONChildren, isObject: Bool)] = []
        enter(value, &open)
        while var innermost = open.popLast() {
            guard let child = innermost.children.next() else {
                if innermost.isObject { endObject() } else { endArray() }
                continue
            }
            open.append(innermost)
            if innermost.isObject { key(child.key) }
            if child.isObject || child.isArray { enter(child, &open) } else { scalar(child) }
        }
    }

    private mutating func enter(_ value: JSONValue, _ open: inout [(children: JSONChildren, isObject: Bool)]) {
        if value.isObject { beginObject() } else { beginArray() }
        open.append((value.children, value.isObject))
    }

    /// A function has no JSON text: it is written as null.
    private mutating func scalar(_ value: JSONValue) {
        switch value.kind {
        case .null, .function, .array, .object: null()
        case .true: bool(true)
        case .false: bool(false)
        case .string: string(value.text ?? .empty)
        case .integer, .decimal:
            if let literal = value.literal, !literal.isEmpty {
                raw(literal)
            } else if let integer = value.integer {
                self.integer(integer)
            } else {
                decimal(value.double ?? 0)
            }
        }
    }
}
