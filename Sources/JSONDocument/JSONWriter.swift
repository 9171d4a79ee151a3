// JSON text out, compact, into bytes that are kept from one text to the next. The caller opens and closes in order;
// commas come by themselves.
internal import CJSONDocument

// SAFETY: `memory` is the writer's own: there is one writer, because it cannot be copied, and it frees it at its end.
@safe public struct JSONWriter: ~Copyable {
    private var memory: WriterMemory
    /// Whether the next key or element follows another.
    private var needsComma = false

    public init(reserving capacity: Int = 256) { memory = WriterMemory(capacity: capacity) }

    deinit { memory.free() }

    /// What has been written, copied.
    public var bytes: [UInt8] { unsafe Array(UnsafeBufferPointer(start: memory.start, count: memory.count)) }

    /// What has been written, not copied: only for the time of the call.
    public func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        unsafe body(UnsafeRawBufferPointer(start: memory.start, count: memory.count))
    }

    /// Begins anew and keeps the memory.
    public mutating func reset() {
        memory.count = 0
        needsComma = false
    }

    public mutating func beginObject() { begin(UInt8(ascii: "{")) }
    public mutating func endObject() { end(UInt8(ascii: "}")) }
    public mutating func beginArray() { begin(UInt8(ascii: "[")) }
    public mutating func endArray() { end(UInt8(ascii: "]")) }

    /// - Parameter key: plain: nothing in it needs an escape, as in every key that the program itself names.
    @_disfavoredOverload
    public mutating func key(_ key: StaticString) {
        let count = key.utf8CodeUnitCount
        let out = unsafe room(count + 3)
        unsafe out.pointee = UInt8(ascii: "\"")
        unsafe (out + 1).update(from: key.utf8Start, count: count)
        unsafe out[count + 1] = UInt8(ascii: "\"")
        unsafe out[count + 2] = UInt8(ascii: ":")
        memory.count &+= count + 3
        needsComma = false
    }
    public mutating func key(_ key: JSONText) {
        unsafe quote(key.bytes)
        colon()
    }
    @_disfavoredOverload
    public mutating func key(_ key: String) {
        var copy = key
        copy.withUTF8 { unsafe quote($0) }
        colon()
    }

    @_disfavoredOverload
    public mutating func string(_ text: StaticString) { string(JSONText(text)) }
    public mutating func string(_ text: JSONText) { unsafe quote(text.bytes) }
    @_disfavoredOverload
    public mutating func string(_ text: String) {
        var copy = text
        copy.withUTF8 { unsafe quote($0) }
    }

    public mutating func integer(_ value: Int) { integer(Int64(value)) }
    public mutating func integer(_ value: Int64) {
        let out = unsafe room(20)
        memory.count &+= unsafe jd_integer_text(value, out)
    }
    /// With a point or an exponent, so that it reads back as a decimal; null when it is not finite.
    public mutating func decimal(_ value: Double) {
        unsafe DecimalText(value).withBytes { unsafe copy($0) }
    }
    public mutating func bool(_ value: Bool) { raw(value ? "true" : "false") }
    public mutating func null() { raw("null") }

    /// JSON text that stands for one value, as it is.
    public mutating func raw(_ json: JSONText) { unsafe copy(UnsafeRawBufferPointer(json.bytes)) }
    public mutating func raw(_ json: [UInt8]) { unsafe json.withUnsafeBytes { unsafe copy($0) } }

    /// JSON text that stands for one value, without the white space between its tokens.
    public mutating func minified(_ json: JSONText) {
        guard let text = unsafe json.start else { return }
        let out = unsafe room(json.count)
        let source = unsafe UnsafeRawPointer(text).assumingMemoryBound(to: CChar.self)
        memory.count &+= unsafe jd_minify(source, json.count, UnsafeMutableRawPointer(out).assumingMemoryBound(to: CChar.self))
    }

    private mutating func begin(_ bracket: UInt8) {
        let out = unsafe room(1)
        unsafe out.pointee = bracket
        memory.count &+= 1
        needsComma = false
    }

    private mutating func end(_ bracket: UInt8) {
        needsComma = false
        let out = unsafe room(1)
        unsafe out.pointee = bracket
        memory.count &+= 1
    }

    private mutating func colon() {
        needsComma = false
        let out = unsafe room(1)
        unsafe out.pointee = UInt8(ascii: ":")
        memory.count &+= 1
        needsComma = false
    }

    private mutating func copy(_ bytes: UnsafeRawBufferPointer) {
        let out = unsafe room(bytes.count)
        if let source = bytes.baseAddress {
            unsafe UnsafeMutableRawPointer(out).copyMemory(from: source, byteCount: bytes.count)
            memory.count &+= bytes.count
        }
    }

    private mutating func quote(_ text: UnsafeBufferPointer<UInt8>) {
        guard let start = text.baseAddress else {
            unsafe copy(UnsafeRawBufferPointer(JSONText(#""""#).bytes))
            return
        }
        // Room for the worst case costs nothing in a short text; a long one is measured first.
        let needed = text.count <= 256 ? jd_quote_room(text.count) : unsafe jd_quoted_length(start, text.count) + 16
        let out = unsafe room(needed)
        memory.count &+= unsafe jd_quote(start, text.count, out)
    }

    /// Where the next bytes go, behind the comma that they may need: there is room for so many. A value follows, so that
    /// the next one needs a comma.
    @inline(__always)
    private mutating func room(_ needed: Int) -> UnsafeMutablePointer<UInt8> {
        if memory.capacity &- memory.count <= needed { memory.grow(by: needed + 1) }
        // Written even where it does not count: a branch that follows no pattern costs more.
        unsafe memory.start[memory.count] = UInt8(ascii: ",")
        memory.count &+= needsComma ? 1 : 0
        needsComma = true
        return unsafe memory.start + memory.count
    }
}
