// `rulehost serve`: the rules of a folder behind HTTP, until somebody ends it.

extension Verb {
    static let serve = Verb(
        name: "serve", summary: "decides on messages that come over HTTP",
        operands: "",
        details: [
            "Prints one line with its address when it is ready. POST /v1/apps/APP/decide decides on one message, POST /v1/decide on a stream of them, one a line; GET /openapi.json describes every route, docs/http.md shows them.",
            "Without --tokens only programs of this machine may ask, because nobody has to say who he is: --listen takes addresses of this machine and files of sockets. With them, each request needs one of those that the file lists, hashed: NAME sha256:HEX ROLES APPS.",
            "With --tls-cert and --tls-key it speaks HTTPS at its addresses, TLS 1.2 and 1.3; files of sockets stay as they are.",
            "What is saved in the folder is in force a moment later, when it loads and its cases pass; else the rules before stay, and GET /v1/apps/APP says why. With --stage what is saved is kept as a version, and what was promoted is in force.",
            "With --webhook what is decided about a message that was held back is sent to a server of yours, signed, until it is taken; docs/http.md shows how that looks and how it is checked.",
            "Ends at Ctrl-C and SIGTERM: no new connections, what is under way is answered, for at most 30 seconds. A second signal ends it at once.",
        ],
        flags: [.listen, .storeForHost, .isolationOfHost, .tokens, .rate, .tlsCertificate, .tlsKey] + Flag.ofHost + Flag.ofWebhook
            + Flag.logs,
        examples: [
            Example(command: "rulehost serve", meaning: "At http://127.0.0.1:8080, with what apps remember in rulehost.db"),
            Example(
                command: "rulehost serve --store memory --listen 127.0.0.1:0",
                meaning: "For a try: any port that is free, and nothing is kept"),
            Example(
                command: "rulehost serve --listen unix:/run/rulehost.sock --listen '[::1]:8080'",
                meaning: "For a proxy on this machine, and for IPv6"),
        ],
        run: { (arguments, console) throws(CommandFault) -> ExitCode in
            if let word = arguments.operands.first { throw .unexpectedOperand(word, verb: "serve") }
            return try ServeSession(try ServeOptions(arguments), console).run()
        })
}

extension Flag {
    static let tokens = Flag("tokens", .required("FILE", .file), "Who may ask, what, and for which apps; read again at SIGHUP")
    static let rate = Flag(
        "rate", .required("N", .text),
        "Requests of each token in a second, lines of streams among them, and twice as many at once (default: any)")
    static let tlsCertificate = Flag(
        "tls-cert", .required("FILE", .file), "Speak HTTPS with this certificate, and those that it leads to: PEM; read again at SIGHUP")
    static let tlsKey = Flag("tls-key", .required("FILE", .file), "The key to the certificate: PEM, without a password")
    static let listen = Flag(
        "listen", .required("ADDRESS", .text), repeats: true,
        "127.0.0.1:8080, [::1]:8080 or unix:PATH; port 0 is one that is free (default: 127.0.0.1:8080)")
    static let storeForHost = Flag(
        "store", .required("sqlite:PATH|memory", .text), "What apps remember (default: rulehost.db beside the rules)")
    static let isolationOfHost = Flag(
        "isolation", .required("process|thread", .oneOf(["process", "thread"])),
        "Where rules run: in processes that can do nothing else, or in this one (default: process)")
}
