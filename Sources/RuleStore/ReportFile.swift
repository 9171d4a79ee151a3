// A report as a file: the whole of it takes the place of the one before, so that a browser never shows half of one.

public enum ReportFile {
    public static func write(_ text: String, to path: String) throws(StoreFault) {
        do throws(FileBytes.Failure) {
            try FileBytes.replace(path, with: Array(text.utf8))
        } catch {
            throw StoreFault(
                .reportNotWritten, path: path, message: "the report cannot be written: \(error.systemReason ?? "it is not a file")",
                hint: error.isMissingFile ? "make its folder first" : nil)
        }
    }
}
