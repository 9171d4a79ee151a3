// Everything that can end a verb early, or that it reports beside its answer. The code is stable and has a page in
// docs/errors; the exit code follows from it. FaultReport makes the words for people; a text that a fault carries is
// only for the excerpt shown to whoever gave the file, and goes nowhere else.
import EffectStore
import HTTPAPI
import HostTelemetry
import HTTPServer
import JSONDocument
import PushMessage
import RuleEngine
import RuleHosting
import RuleLab
import RuleStore

enum CommandFault: Error {
    case unknownVerb(String, suggestion: String?)
    case unknownFlag(String, verb: String?, suggestion: String?)
    case missingValue(flag: String, placeholder: String)
    case needlessValue(flag: String)
    case invalidValue(flag: String, value: String, expected: String, suggestion: String?)
    /// A word of the command line.
    case notUTF8(String)
    case unexpectedOperand(String, verb: String)
    case missingOperand(verb: String, operands: String)
    /// Two flags, without their dashes, of which one has no meaning beside the other.
    case flagsDisagree(String, String, why: String)
    /// Standard input is named more than once.
    case inputTwice

    case unreadableFile(path: String, errno: Int32)
    /// A folder, or something that may never answer whoever reads it.
    case notAFile(path: String)
    /// More than the bytes that are taken.
    case fileTooLong(path: String, limit: Int)
    /// A device or a state that is not JSON; `text` is what the excerpt is cut from.
    case unreadableJSON(source: String, text: [UInt8], JSONFault)
    /// A value on the command line that is no JSON.
    case unreadableValue(text: [UInt8], hint: String?, JSONFault)
    /// One line of a file of lines; `line` is its number, from 1.
    case unreadableLine(source: String, text: [UInt8], line: Int, JSONFault)
    /// The details of `--event`.
    case unreadableEvent(text: [UInt8], JSONFault)
    case notAnObject(source: String, text: [UInt8])
    /// `line` is the line of `text` in its source, for one document a line; 1 for a whole document. `size` is what a
    /// text that was not read to its end has in bytes, when that is known.
    case unreadableMessage(source: String, text: [UInt8], line: Int, size: Int?, MessageFault)
    /// A device or an event that is JSON but says something that cannot be.
    /// `text` is where the place is looked for; empty when there is none to show.
    case request(RequestFault, source: String, text: [UInt8])
    /// A line of recorded traffic; `text` is the line.
    case unreadableTraffic(source: String, text: [UInt8], line: Int, TrafficFault)
    /// Traffic without a line that says anything, and nothing else to say which app decides; `lines` is how
    /// many have been looked at, "2" or "first 256"; `first` is the first of them, nil when there is none.
    case noTraffic(source: String, lines: String, first: (line: Int, text: [UInt8], fault: TrafficFault)?)
    /// A condition of --fail-if.
    case failCondition(String, FailCondition.Fault)
    /// A text of --vary.
    case varyText(String, VaryText.Fault)
    /// nil: more than can be counted.
    case tooManyCombinations(count: Int?, most: Int, inputs: [(name: String, values: Int)])
    case appNotNamed(apps: [String], folder: String)
    /// At least one.
    case rules([RuleFaultPlace])
    case store(StoreFault)
    /// The store of a host.
    case effectStore(EffectStoreFault)
    /// Versions that a store does not have, or will not have in force.
    case versions(HostProblem)
    case stateNotWritten(path: String, reason: String)
    case outputNotWritten(errno: Int32)
    /// `rulehost test` had nothing to run.
    case noCaseRan(filter: String?)
    /// The system gives no thread to work on.
    case noThread
    case hostNotStarted(HostStartFault)
    case notListening(ListenFault)
    /// Says nothing of what stands there.
    case tokens(path: String, TokenFault)
    /// A file that holds a secret, or should; says nothing of what stands there.
    case secret(path: String, String, String)
    /// A host that --host names: a sentence, and a hint.
    case hostUnreachable(place: String, String, String?)
    /// What it has answered instead of what was asked.
    case ofHost(place: String, HostProblem)
    /// The certificate or the key; says nothing of what stands there.
    case tls(certificate: String, key: String, TLSIdentity.Fault)
    /// What is to be written down cannot be.
    case telemetry(TelemetryFault)
    /// `eval --fetch` without libcurl.
    case fetchUnavailable
    /// `rulehost docs` with a word that nothing has.
    case unknownEntry(String, suggestion: String?)
    case internalFault(String)

    /// Codes that nobody but the command line gives; those of messages, rules and stores come with their faults.
    private enum Code: String, CaseIterable {
        case unknownVerb = "unknown_verb"
        case unknownFlag = "unknown_flag"
        case missingValue = "missing_value"
        case needlessValue = "needless_value"
        case invalidValue = "invalid_value"
        case unexpectedOperand = "unexpected_operand"
        case missingOperand = "missing_operand"
        case flagsDisagree = "flags_disagree"
        case inputTwice = "input_twice"
        case appNotNamed = "app_not_named"
        case unreadableFile = "unreadable_file"
        case notAnObject = "not_an_object"
        case outputNotWritten = "output_not_written"
        case noCaseRan = "no_case_ran"
        case trafficInvalid = "traffic_invalid"
        case noTraffic = "no_traffic"
        case noThread = "no_thread"
        case notListening = "not_listening"
        case tokensInvalid = "tokens_invalid"
        case secretInvalid = "secret_invalid"
        case hostUnreachable = "host_unreachable"
        case tlsInvalid = "tls_invalid"
        case logNotWritten = "log_not_written"
        case tooManyCombinations = "too_many_combinations"
        case fetchUnavailable = "fetch_unavailable"
        case unknownEntry = "unknown_entry"
        case internalFault = "internal_fault"
    }

    static let ownCodes = Code.allCases.map(\.rawValue)

    var code: String {
        switch self {
        case .unknownVerb: Code.unknownVerb.rawValue
        case .unknownFlag: Code.unknownFlag.rawValue
        case .missingValue: Code.missingValue.rawValue
        case .needlessValue: Code.needlessValue.rawValue
        case .invalidValue, .notUTF8: Code.invalidValue.rawValue
        case .unexpectedOperand: Code.unexpectedOperand.rawValue
        case .missingOperand: Code.missingOperand.rawValue
        case .flagsDisagree: Code.flagsDisagree.rawValue
        case .inputTwice: Code.inputTwice.rawValue
        case .unreadableFile, .notAFile, .fileTooLong: Code.unreadableFile.rawValue
        case .unreadableJSON(_, _, let fault): fault.code.rawValue
        case .unreadableLine(_, _, _, let fault), .unreadableValue(_, _, let fault): fault.code.rawValue
        case .unreadableEvent(_, let fault): fault.code.rawValue
        case .notAnObject: Code.notAnObject.rawValue
        case .unreadableMessage(_, _, _, _, let fault): fault.code
        case .request(let fault, _, _): fault.code.rawValue
        case .unreadableTraffic(_, _, _, let fault): fault.code
        case .noTraffic: Code.noTraffic.rawValue
        case .failCondition, .varyText: Code.invalidValue.rawValue
        case .tooManyCombinations: Code.tooManyCombinations.rawValue
        case .appNotNamed: Code.appNotNamed.rawValue
        case .rules(let places): places.first?.fault.code.rawValue ?? "rules"
        case .store(let fault): fault.code.rawValue
        case .effectStore(let fault): fault.code.rawValue
        case .versions(let problem): problem.code
        case .stateNotWritten: StoreFault.Code.stateNotWritten.rawValue
        case .outputNotWritten: Code.outputNotWritten.rawValue
        case .noCaseRan: Code.noCaseRan.rawValue
        case .noThread: Code.noThread.rawValue
        case .hostNotStarted(let fault): fault.code
        case .notListening(.noThread): Code.noThread.rawValue
        case .notListening: Code.notListening.rawValue
        case .tokens: Code.tokensInvalid.rawValue
        case .secret: Code.secretInvalid.rawValue
        case .hostUnreachable: Code.hostUnreachable.rawValue
        case .ofHost(_, let problem): problem.code
        case .tls: Code.tlsInvalid.rawValue
        case .telemetry(let fault): fault.code
        case .fetchUnavailable: Code.fetchUnavailable.rawValue
        case .unknownEntry: Code.unknownEntry.rawValue
        case .internalFault: Code.internalFault.rawValue
        }
    }

    var exitCode: ExitCode {
        switch self {
        case .unknownVerb, .unknownFlag, .missingValue, .needlessValue, .invalidValue, .notUTF8, .unexpectedOperand, .missingOperand,
            .flagsDisagree, .inputTwice, .unreadableEvent, .failCondition, .varyText, .tooManyCombinations, .appNotNamed, .unknownEntry:
            .usage
        case .request(let fault, _, _): fault.code == .eventInvalid ? .usage : .badInput
        case .rules: .rulesDoNotLoad
        case .store(let fault): fault.exitCode
        case .unreadableFile, .notAFile, .fileTooLong, .unreadableJSON, .unreadableValue, .unreadableLine, .notAnObject,
            .unreadableMessage, .unreadableTraffic, .noTraffic, .tokens, .secret, .tls:
            .badInput
        case .outputNotWritten, .stateNotWritten, .fetchUnavailable, .noThread, .effectStore, .hostNotStarted, .notListening, .telemetry,
            .hostUnreachable:
            .unreachable
        case .versions(let problem), .ofHost(_, let problem): problem.exitCode
        case .noCaseRan: .no
        case .internalFault: .internalFault
        }
    }
}

extension HostProblem {
    fileprivate var exitCode: ExitCode {
        switch status {
        case 400: .usage
        case 401, 403, 404, 405, 413, 422: .badInput
        case 409: .no
        default: .unreachable
        }
    }
}

extension StoreFault {
    fileprivate var exitCode: ExitCode {
        switch code {
        case .appName: .usage
        case .rulesMissing, .appUnknown, .fileUnreadable, .fileTooLarge, .tooManyFiles, .appTooLarge, .linkOutside, .revisionUnknown,
            .revisionUnreadable:
            .rulesDoNotLoad
        case .stateUnreadable, .stateInvalid: .badInput
        case .stateNotWritten, .reportNotWritten, .gitMissing, .fileNotWritten, .watchUnavailable: .unreachable
        case .appExists: .usage
        case .fileUnknown, .fileLinked, .fileChanged: .badInput
        }
    }
}
