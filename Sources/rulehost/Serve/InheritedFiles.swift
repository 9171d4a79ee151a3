// Lets go of what whoever started `serve` has left open. A host runs for months: it must not hold the ends of pipes and sockets whose
// other side waits for them to close. Called once: after the files that the command line names, before anything stays open.
import Glibc

enum InheritedFiles {
    /// All but standard input, output and errors.
    static func close() {
        guard let folder = opendir("/proc/self/fd") else { return }
        var numbers: [Int32] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            if let number = Int32(name), number > 2, number != dirfd(folder) { numbers.append(number) }
        }
        closedir(folder)
        for number in numbers { Glibc.close(number) }
    }
}
