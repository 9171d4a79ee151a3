// The manual page, in troff, made from the verbs and their flags.

enum ManualPage {
    static func text() -> String {
        var page = """
            .TH RULEHOST 1 "" "rulehost \(Program.version)" "User Commands"
            .SH NAME
            rulehost \\- decides what a push message does
            .SH SYNOPSIS
            .B rulehost
            .I VERB
            [flags] [operands]

            """
        page += ".SH VERBS\n"
        for verb in Program.verbs {
            page += ".SS \"rulehost \(verb.name)\(verb.operands.isEmpty ? "" : " \(escaped(verb.operands))")\"\n"
            page += "\(sentence(verb.summary))\n"
            for paragraph in verb.details { page += ".PP\n\(escaped(paragraph))\n" }
            page += flags(verb.flags)
            for example in verb.examples {
                page += ".PP\n\(escaped(example.meaning)):\n.PP\n.RS\n.nf\n\(escaped(example.command))\n.fi\n.RE\n"
            }
        }
        page += ".SH FLAGS OF EVERY VERB\n" + flags(Flag.global(for: nil))
        page += ".SH EXIT STATUS\n"
        for code in ExitCode.allCases { page += ".TP\n\(code.rawValue)\n\(sentence(code.meaning))\n" }
        return page
    }

    private static func flags(_ flags: [Flag]) -> String {
        flags.map { ".TP\n\\fB\(escaped($0.synopsis))\\fR\n\(sentence($0.help))\n" }.joined()
    }

    private static func sentence(_ text: String) -> String {
        escaped(text.prefix(1).uppercased() + text.dropFirst() + ".")
    }

    private static func escaped(_ text: String) -> String {
        let text = text.replacing("\\", with: "\\e").replacing("-", with: "\\-")
        return text.hasPrefix(".") || text.hasPrefix("'") ? "\\&" + text : text
    }
}
