// Places in JSON as programs name them: pointers (RFC 6901). Used by whoever tells what is wrong with a text that somebody has sent.
public import JSONDocument

extension JSONValue {
    /// The innermost value in here in which a byte of the text stands; "" is this value itself.
    public func pointer(to offset: Int) -> String {
        var (pointer, value) = ("", self)
        while let (place, child) = value.children.enumerated().first(where: { $1.offset <= offset && offset < $1.offset + $1.sourceLength })
        {
            pointer += "/\(value.isObject ? child.key.string.pointerStep : String(place))"
            value = child
        }
        return pointer
    }
}
