// JSON text as a text value: what FCM makes of data that is no text.
internal import CJSONDocument

extension JSONBuilder {
    /// Valid JSON text without the white space between its tokens. The text itself when it has none; else a copy that
    /// lives until the next `reset`.
    public func minified(_ json: JSONText) -> JSONText {
        guard unsafe json.bytes.contains(where: { $0 <= 0x20 }), let source = unsafe characters(json),
            let memory = unsafe jd_builder_memory(builder, json.count)
        else { return json }
        let length = unsafe jd_minify(source, json.count, memory)
        return unsafe JSONText(start: bytePointer(memory), count: length)
    }
}
