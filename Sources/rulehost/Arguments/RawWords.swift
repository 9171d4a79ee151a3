// Words of the command line as the system gave them. Swift puts other letters in place of bytes that are not UTF-8: a file of
// such a name would not be found, and --apply would make another one. Called by Program before anything else.

enum RawWords {
    /// The first that is not UTF-8, with the letters that Swift puts there.
    static var firstNotUTF8: String? {
        // SAFETY: the system ends each word with a zero byte, and nobody changes them.
        for number in 1..<max(1, Int(CommandLine.argc)) {
            guard let word = CommandLine.unsafeArgv[number] else { continue }
            if String(validatingCString: word) == nil { return String(cString: word) }
        }
        return nil
    }
}
