// The flags that every verb knows.

extension Flag {
    static let rules = Flag("rules", .required("DIR", .folder), "Folder with one folder of rules per app (default: rules)")
    static let color = Flag(
        "color", .required("WHEN", .oneOf(["auto", "always", "never"])),
        "Colours: auto = on a terminal and without NO_COLOR")
    static let quiet = Flag("quiet", .none, "No progress, no summary")
    static let version = Flag("version", .none, "Print the version")
    static let help = Flag("help", .none, "Print help for the verb")

    static func format(_ formats: [OutputFormat]) -> Flag {
        let words = formats.map(\.rawValue)
        return Flag("format", .required(words.joined(separator: "|"), .oneOf(words)), "Form of the answer (default: \(words[0]))")
    }

    /// In the order of help.
    static func global(for verb: Verb?) -> [Flag] {
        [.rules, .format(verb?.formats ?? [.human, .json, .ndjson]), .color, .quiet, .version, .help]
    }
}
