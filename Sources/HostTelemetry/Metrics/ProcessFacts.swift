// What the system knows of this process, under the names that every program for Prometheus uses.
import Glibc

struct ProcessFacts: MetricSource {
    let version: String
    /// Seconds since 1970.
    let start: Double

    init(version: String) {
        self.version = version
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        var age = timespec()
        clock_gettime(CLOCK_BOOTTIME, &age)
        let boot = Double(now.tv_sec - age.tv_sec) + Double(now.tv_nsec - age.tv_nsec) / 1e9
        // The 22nd field, in ticks since the machine began; the name before may have blanks in it.
        let fields = ProcessFacts.text("/proc/self/stat").split(separator: ")").last?.split(separator: " ") ?? []
        let ticks = fields.count > 19 ? Double(fields[19]) : nil
        start = ticks.map { boot + $0 / Double(sysconf(Int32(_SC_CLK_TCK))) } ?? Double(now.tv_sec)
    }

    func collect(into samples: inout Samples) {
        samples.add(MetricTable.build, [version], 1)
        samples.add(MetricTable.processStart, [], (start * 100).rounded() / 100)
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        samples.add(MetricTable.processTime, [], Double(time.tv_sec) + Double(time.tv_nsec) / 1e9)
        let pages = ProcessFacts.text("/proc/self/statm").split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        samples.add(MetricTable.processMemory, [], pages * Int(sysconf(Int32(_SC_PAGESIZE))))
        samples.add(MetricTable.processFiles, [], ProcessFacts.descriptors())
    }

    private static func descriptors() -> Int {
        guard let folder = opendir("/proc/self/fd") else { return 0 }
        defer { closedir(folder) }
        var count = 0
        while let entry = readdir(folder) { if entry.pointee.d_name.0 != 0x2E { count += 1 } }
        // That of the folder is gone again.
        return count - 1
    }

    /// "" when it cannot be read.
    private static func text(_ path: String) -> String {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return "" }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 1_024)
        let count = read(file, &bytes, bytes.count)
        return count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : ""
    }
}
