// Flags of verbs that ask a host that runs, in place of its store.

extension Flag {
    static let host = Flag(
        "host", .required("URL|unix:PATH", .text), "A host that runs, in place of --store: http://127.0.0.1:8080, https://… or unix:PATH")
    static let tokenFile = Flag(
        "token-file", .required("FILE", .file), "The token for --host (default: what RULEHOST_TOKEN holds, if anything)")
    static let hostCertificates = Flag(
        "ca", .required("FILE", .file), "Certificates that --host is trusted by, in place of the system's")

    /// In the order in which help shows them.
    static let ofRemoteHost: [Flag] = [.host, .tokenFile, .hostCertificates]
}
