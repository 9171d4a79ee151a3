// The server of server.py with a certificate that was made for this run: started when a test first asks, ended with it.
import Foundation

final class LocalServer: Sendable {
    /// "https://127.0.0.1:PORT"
    let address: String
    /// The file with the certificate that the server shows.
    let certificate: String
    private let folder: String
    private let process: Process

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("rulehost-fetch-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        certificate = folder + "/certificate.pem"
        let key = folder + "/key.pem"
        let openssl = LocalServer.process([
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2", "-subj",
            "/CN=rulehost tests", "-addext", "subjectAltName=IP:127.0.0.1,DNS:localhost", "-keyout", key, "-out", certificate,
        ])
        openssl.standardError = FileHandle.nullDevice
        try openssl.run()
        openssl.waitUntilExit()
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("server.py").path
        process = LocalServer.process(["python3", script, certificate, key])
        let output = Pipe()
        process.standardInput = Pipe()
        process.standardOutput = output
        try process.run()
        var line: [UInt8] = []
        while let byte = try output.fileHandleForReading.read(upToCount: 1)?.first, byte != 0x0A { line.append(byte) }
        guard let port = Int(String(decoding: line, as: UTF8.self)) else { throw CocoaError(.executableLoad) }
        address = "https://127.0.0.1:\(port)"
    }

    deinit {
        process.terminate()
        do { try FileManager.default.removeItem(atPath: folder) } catch { print("left behind: \(folder): \(error)") }
    }

    private static func process(_ words: [String]) -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = words
        return process
    }
}
