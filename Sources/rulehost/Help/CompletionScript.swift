// Completions for three shells, made from the verbs and their flags.

enum CompletionScript {
    enum Shell: String, CaseIterable { case bash, zsh, fish }

    static func text(for shell: Shell) -> String {
        switch shell {
        case .bash: bash()
        case .zsh: zsh()
        case .fish: fish()
        }
    }

    private static func flags(of verb: Verb) -> [Flag] { verb.flags + Flag.global(for: verb) }

    private static func bash() -> String {
        var cases = ""
        for verb in Program.verbs {
            var values = ""
            for flag in flags(of: verb) {
                switch flag.value {
                case .required(_, .oneOf(let words)):
                    values +=
                        "                --\(flag.name)) COMPREPLY=($(compgen -W \"\(words.joined(separator: " "))\" -- \"$word\")); return ;;\n"
                case .required(_, .folder):
                    values += "                --\(flag.name)) COMPREPLY=($(compgen -d -- \"$word\")); return ;;\n"
                case .required:
                    values += "                --\(flag.name)) COMPREPLY=($(compgen -f -- \"$word\")); return ;;\n"
                case .none, .optional: break
                }
            }
            let names = flags(of: verb).map { "--\($0.name)" }.joined(separator: " ")
            cases += """
                        \(verb.name))
                            case "$before" in
                \(values)            esac
                            COMPREPLY=($(compgen -W "\((verb.operandWords() + [names]).joined(separator: " "))" -- "$word") $(compgen -f -- "$word")) ;;

                """
        }
        return """
            # bash completion of rulehost. Put it into ~/.bashrc: source <(rulehost completions bash)
            _rulehost() {
                local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}"
                COMPREPLY=()
                if [ "$COMP_CWORD" -eq 1 ]; then
                    COMPREPLY=($(compgen -W "\(Program.verbs.map(\.name).joined(separator: " "))" -- "$word"))
                    return
                fi
                case "${COMP_WORDS[1]}" in
            \(cases)    esac
            }
            complete -o filenames -F _rulehost rulehost

            """
    }

    private static func zsh() -> String {
        var cases = ""
        for verb in Program.verbs {
            let specs = flags(of: verb).map { "'\(zshSpec($0))'" }
            let operand =
                verb.operandWords().isEmpty ? "'*:file:_files'" : "'*:word:(\(verb.operandWords().joined(separator: " ")))'"
            cases += "        \(verb.name)) _arguments \((specs + [operand]).joined(separator: " \\\n            ")) ;;\n"
        }
        let verbs = Program.verbs.map { "'\($0.name):\(quoted($0.summary))'" }.joined(separator: "\n        ")
        return """
            #compdef rulehost
            # zsh completion of rulehost. Put it into a folder of $fpath as _rulehost.
            _rulehost() {
                local -a verbs=(
                    \(verbs)
                )
                if (( CURRENT == 2 )); then
                    _describe verb verbs
                    return
                fi
                local verb=$words[2]
                shift words
                (( CURRENT-- ))
                case $verb in
            \(cases)    esac
            }
            _rulehost "$@"

            """
    }

    private static func zshSpec(_ flag: Flag) -> String {
        let help = quoted(flag.help).replacing("[", with: "(").replacing("]", with: ")").replacing(":", with: "\\:")
        let many = flag.repeats ? "*" : ""
        return switch flag.value {
        case .none: "\(many)--\(flag.name)[\(help)]"
        case .optional(_, let words): "\(many)--\(flag.name)=-[\(help)]::value:(\(words.joined(separator: " ")))"
        case .required(_, .oneOf(let words)): "\(many)--\(flag.name)=[\(help)]:value:(\(words.joined(separator: " ")))"
        case .required(_, .folder): "\(many)--\(flag.name)=[\(help)]:folder:_files -/"
        case .required(_, .file): "\(many)--\(flag.name)=[\(help)]:file:_files"
        case .required(_, .text): "\(many)--\(flag.name)=[\(help)]:value: "
        }
    }

    private static func fish() -> String {
        let names = Program.verbs.map(\.name).joined(separator: " ")
        var text = "# fish completion of rulehost. Put it into ~/.config/fish/completions/rulehost.fish\n"
        for verb in Program.verbs {
            text +=
                "complete -c rulehost -f -n 'not __fish_seen_subcommand_from \(names)' -a \(verb.name) -d '\(quoted(verb.summary))'\n"
        }
        for verb in Program.verbs {
            let only = "-n '__fish_seen_subcommand_from \(verb.name)'"
            if !verb.operandWords().isEmpty {
                text += "complete -c rulehost -f \(only) -a '\(verb.operandWords().joined(separator: " "))'\n"
            }
            for flag in flags(of: verb) {
                var line = "complete -c rulehost \(only) -l \(flag.name) -d '\(quoted(flag.help))'"
                switch flag.value {
                case .none: break
                case .optional(_, let words): line += " -f -a '\(words.joined(separator: " "))'"
                case .required(_, .oneOf(let words)): line += " -x -a '\(words.joined(separator: " "))'"
                case .required(_, .text): line += " -x"
                case .required(_, .file): line += " -r -F"
                case .required(_, .folder): line += " -x -a '(__fish_complete_directories)'"
                }
                text += line + "\n"
            }
        }
        return text
    }

    /// For the inside of single quotes.
    private static func quoted(_ text: String) -> String { text.replacing("'", with: "’") }
}
