// The flags with which `serve` is told what to write down.

extension Flag {
    static let logFormat = Flag(
        "log-format", .required("json|text", .oneOf(["json", "text"])),
        "What happens in the host, on the error output; without it only what is wrong, as text")
    static let logDecisions = Flag("log-decisions", .required("FILE", .file), "Each decision as a line of traffic, for replay and diff")
    static let logSample = Flag(
        "log-sample", .required("SHARE", .text), "Of recipients, from 0 to 1: all their decisions, or none (default: 1)")
    static let logMask = Flag(
        "log-mask", .required("PATHS", .text), repeats: true,
        "Places whose values are replaced, with commas: message.email,device.recipient")
    static let logRotate = Flag("log-rotate", .required("SIZE", .text), "Begin a new file when one is that large: 100MB, 1GiB")
    static let logKeep = Flag("log-keep", .required("N", .text), "How many files before it to keep (default: 5)")
    static let logs: [Flag] = [.logFormat, .logDecisions, .logSample, .logMask, .logRotate, .logKeep]
}
