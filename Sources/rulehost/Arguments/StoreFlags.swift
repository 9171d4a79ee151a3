// The flags of the verbs that look at the store of a host, or change it.

extension Flag {
    static let store = Flag("store", .required("sqlite:PATH", .text), "The store of a host")
    static let storeForEval = Flag(
        "store", .required("sqlite:PATH", .text), "What a host remembers, read only, in place of --state-file")
    static let appOfStore = Flag("app", .required("APP", .text), "Whose state; may be left out when the store knows only one")
    static let onlyApp = Flag("app", .required("APP", .text), "Of this app only")
    static let recipientOfStore = Flag(
        "recipient", .required("ID", .text), "Of this recipient; else what the whole app shares, or all of them")
    static let dryRun = Flag("dry-run", .none, "Show what would change, and change nothing")
    static let who = Flag("who", .required("NAME", .text), "Who stands in the audit (default: whom the system knows)")
    static let why = Flag("why", .required("TEXT", .text), "The reason that stands in the audit")
    static let stageOfStore = Flag(
        "stage", .required("STAGE", .text), "Where it is to be in force: draft, staging, production, or another name")
    static let percent = Flag("percent", .required("N", .text), "For so many of a hundred recipients only, always the same ones")
    static let into = Flag(
        "into", .required("FOLDER", .file), "Where the app's folder is to be made: a folder of rules, as --rules names one")
    static let newest = Flag("newest", .required("N", .text), "How many entries, the newest (default: 50)")
}
