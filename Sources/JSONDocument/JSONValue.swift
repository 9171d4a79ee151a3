// One value on a tape: a single pointer, so that walking a message costs no reference counting. It is valid as long
// as its document (or builder) is neither read again nor freed. Links are followed here; nobody else sees them.
public import CJSONDocument

public enum JSONKind: UInt8, Sendable {
    case null = 0, `false` = 1, `true` = 2, integer = 3, decimal = 4, string = 5, array = 6, object = 7
    /// A function of the Lua machine that built the tape; never in a document that was read.
    case function = 9
}

@safe public struct JSONValue: @unchecked Sendable {
    /// The node that stands in the tree: it carries the key. May be a link.
    @usableFromInline let place: UnsafePointer<jd_node>
    /// The node that carries the value.
    @usableFromInline let node: UnsafePointer<jd_node>

    // SAFETY: the caller vouches that the node belongs to a live tape.
    @inlinable public init(_ place: UnsafePointer<jd_node>) {
        unsafe self.place = place
        unsafe self.node = place.pointee.kind == UInt8(JD_LINK) ? place.pointee.value.target! : place
    }

    @inlinable public var kind: JSONKind { unsafe JSONKind(rawValue: node.pointee.kind)! }
    @inlinable public var isNull: Bool { unsafe node.pointee.kind == UInt8(JD_NULL) }
    @inlinable public var isObject: Bool { unsafe node.pointee.kind == UInt8(JD_OBJECT) }
    @inlinable public var isArray: Bool { unsafe node.pointee.kind == UInt8(JD_ARRAY) }
    @inlinable public var isString: Bool { unsafe node.pointee.kind == UInt8(JD_STRING) }

    /// The text of a string; nil for every other kind.
    @inlinable public var text: JSONText? {
        guard isString else { return nil }
        return unsafe JSONText(start: bytePointer(node.pointee.text), count: Int(node.pointee.length))
    }
    /// The digits of a number as they were written; nil for every other kind.
    @inlinable public var literal: JSONText? {
        let kind = unsafe node.pointee.kind
        guard kind == UInt8(JD_INTEGER) || kind == UInt8(JD_DECIMAL) else { return nil }
        return unsafe JSONText(start: bytePointer(node.pointee.text), count: Int(node.pointee.length))
    }
    @inlinable public var integer: Int64? {
        unsafe node.pointee.kind == UInt8(JD_INTEGER) ? node.pointee.value.integer : nil
    }
    /// Any number as a double.
    @inlinable public var double: Double? {
        switch unsafe node.pointee.kind {
        case UInt8(JD_INTEGER): unsafe Double(node.pointee.value.integer)
        case UInt8(JD_DECIMAL): unsafe node.pointee.value.decimal
        default: nil
        }
    }
    @inlinable public var bool: Bool? {
        switch unsafe node.pointee.kind {
        case UInt8(JD_TRUE): true
        case UInt8(JD_FALSE): false
        default: nil
        }
    }
    /// The reference of a function; nil for every other kind.
    @inlinable public var function: Int64? {
        unsafe node.pointee.kind == UInt8(JD_FUNCTION) ? node.pointee.value.integer : nil
    }
    /// A decimal whose literal is an integer beyond int64, or lies beyond a double's range.
    @inlinable public var overflows: Bool { unsafe node.pointee.flags & UInt8(JD_OVERFLOW) != 0 }

    /// The key under which the value stands in its object.
    @inlinable public var key: JSONText {
        unsafe JSONText(start: bytePointer(place.pointee.key), count: Int(place.pointee.key_length))
    }
    /// The key's number in the document's vocabulary; 0 when it is not there.
    @inlinable public var keyID: UInt16 { unsafe place.pointee.key_id }

    /// Where the value's source begins, in bytes from the start of the text it was read from; 0 in built tapes.
    @inlinable public var offset: Int { unsafe Int(node.pointee.offset) }
    @inlinable public var sourceLength: Int { unsafe Int(node.pointee.source_length) }
    @inlinable public var isBuilt: Bool { unsafe node.pointee.flags & UInt8(JD_BUILT) != 0 }
    @inlinable public var isShadowed: Bool { unsafe place.pointee.flags & UInt8(JD_SHADOWED) != 0 }
    @inlinable public var hasReplacedSurrogate: Bool { unsafe node.pointee.flags & UInt8(JD_REPLACED) != 0 }

    /// Elements of an array or members of an object (shadowed ones do not count); 0 for every other kind.
    @inlinable public var count: Int { isArray || isObject ? unsafe Int(node.pointee.count) : 0 }

    /// The elements of an array or the members of an object, in order; shadowed members are left out. Empty for every other kind.
    @inlinable public var children: JSONChildren { JSONChildren(of: self, includingShadowed: false) }
    /// The same with the members that a later duplicate of their key has shadowed.
    @inlinable public var childrenWithShadowed: JSONChildren { JSONChildren(of: self, includingShadowed: true) }

    /// A member of an object by key: the last one of duplicates. nil when absent or when this is not an object.
    @inlinable public subscript(key: JSONText) -> JSONValue? {
        guard isObject else { return nil }
        for member in children where member.key == key { return member }
        return nil
    }
    @_disfavoredOverload
    @inlinable public subscript(key: StaticString) -> JSONValue? { self[JSONText(key)] }
    @_disfavoredOverload
    public subscript(key: String) -> JSONValue? {
        guard isObject else { return nil }
        for member in children where member.key == key { return member }
        return nil
    }
    /// A member by the number of its key in the vocabulary.
    @inlinable public func member(_ id: UInt16) -> JSONValue? {
        guard isObject else { return nil }
        for member in children where member.keyID == id { return member }
        return nil
    }
    /// An element of an array, from 0.
    @inlinable public subscript(index: Int) -> JSONValue? {
        guard isArray, index >= 0, index < count else { return nil }
        // A list of values that have nothing inside is so many nodes side by side.
        if unsafe Int(node.pointee.span) == count + 1 { return unsafe JSONValue(node + 1 + index) }
        var left = index
        for element in children {
            if left == 0 { return element }
            left -= 1
        }
        return nil
    }

    /// Same node of the same tape.
    @inlinable public func isSame(as other: JSONValue) -> Bool { unsafe node == other.node }
    /// The node, for C.
    @inlinable public var pointer: UnsafePointer<jd_node> { unsafe node }
}

@safe public struct JSONChildren: Sequence, IteratorProtocol {
    @usableFromInline var upcoming: UnsafePointer<jd_node>
    @usableFromInline let end: UnsafePointer<jd_node>
    @usableFromInline let includingShadowed: Bool

    @inlinable init(of value: JSONValue, includingShadowed: Bool) {
        let node = unsafe value.node
        unsafe upcoming = node + 1
        unsafe end = node + (value.isArray || value.isObject ? Int(node.pointee.span) : 1)
        self.includingShadowed = includingShadowed
    }

    @inlinable public mutating func next() -> JSONValue? {
        while unsafe upcoming < end {
            let place = unsafe upcoming
            unsafe upcoming += Int(place.pointee.span)
            let isShadowed = unsafe place.pointee.flags & UInt8(JD_SHADOWED) != 0
            if includingShadowed || !isShadowed { return unsafe JSONValue(place) }
        }
        return nil
    }
}

@inlinable func bytePointer(_ text: UnsafePointer<CChar>?) -> UnsafePointer<UInt8>? {
    unsafe UnsafeRawPointer(text)?.assumingMemoryBound(to: UInt8.self)
}
