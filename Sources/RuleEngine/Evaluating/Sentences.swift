// Sentences that the engine makes while rules run, for contributions, which hold views only. One keeper lives as long as
// the run, so that the views into it are good until the decision is made.
import JSONDocument

final class Sentences {
    private var kept: [UnsafeMutableBufferPointer<UInt8>] = []

    func keep(_ sentence: String) -> JSONText {
        let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: sentence.utf8.count)
        _ = bytes.initialize(from: sentence.utf8)
        kept.append(bytes)
        return JSONText(start: UnsafePointer(bytes.baseAddress), count: bytes.count)
    }

    deinit {
        for bytes in kept { bytes.deallocate() }
    }
}
