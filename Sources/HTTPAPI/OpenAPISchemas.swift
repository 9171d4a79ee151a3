// The shapes that the description of the routes refers to by name: those of rulehost's own language come from RuleReference, the
// few that only HTTP has are written here.
import JSONDocument
import RuleReference

enum OpenAPISchemas {
    static let all = JSONSchema.components(of: [.device, .decision, .state], inner: ["event.changed"]) + own

    private static let own: [(name: String, schema: [UInt8])] = [
        (
            "State",
            bytes(
                ##"{"type":"object","description":"Keys and values of `state.get`.","propertyNames":{"maxLength":128},"additionalProperties":{"$ref":"#/components/schemas/Value"}}"##
            )
        ),
        (
            "Settings",
            bytes(
                #"{"type":"object","properties":{"app_push":{"type":"boolean"},"timezone":{"type":["string","boolean"]},"channels":"#
                    + switches + #"},"additionalProperties":{"type":"boolean"}}"#)
        ),
        (
            "Topics",
            bytes(
                #"{"anyOf":[{"type":"object","properties":{"wanted":"# + texts + #","confirmed":"# + texts
                    + #"},"additionalProperties":false},{"type":"array","items":{"type":"string"}}]}"#)
        ),
        (
            "GivenTopics",
            bytes(
                #"{"anyOf":[{"type":"object","properties":{"wanted":"# + topicNames + #","confirmed":"# + topicNames
                    + #"},"additionalProperties":false},"# + topicNames + "]}")
        ),
        ("Badge", bytes(#"{"type":["integer","null"],"minimum":0,"maximum":2147483647}"#)),
        ("Event", EventSchemas.any),
        ("PersonEvent", EventSchemas.withoutMessage),
        ("Fetched", EventSchemas.fetched),
        ("ChangedSwitches", EventSchemas.changedSwitches),
        ("ChangedChannels", EventSchemas.changedChannels),
        ("DecideRequest", decideRequest),
        ("DecideLine", decideLine),
        (
            "EventRequest",
            bytes(
                #"{"type":"object","properties":{"# + members + #"},"additionalProperties":false,"required":["event"],"anyOf":["# + event
                    + ##",{"properties":{"event":{"$ref":"#/components/schemas/Event"},"message":{"$ref":"#/components/schemas/Message"}},"required":["message"]}]}"##
            )
        ),
        (
            "Answer",
            bytes(
                ##"{"description":"With an event one decision; without, the journey of the message: one decision for each event.","oneOf":[{"$ref":"#/components/schemas/Decision"},{"type":"array","items":{"$ref":"#/components/schemas/Decision"}}]}"##
            )
        ),
        ("AnswerLine", bytes(##"{"anyOf":[{"$ref":"#/components/schemas/Answer"},{"$ref":"#/components/schemas/Problem"}]}"##)),
        (
            "Status",
            bytes(
                #"{"type":"object","properties":{"status":{"type":"string","enum":["ok","stuck","not_ready"]},"missing":{"type":"array","items":{"type":"object","properties":{"what":{"type":"string"},"code":{"type":"string"},"detail":{"type":"string"}},"required":["what","code","detail"]}},"failing":{"type":"array","description":"Apps that do not load while others do.","items":{"type":"string"}}},"required":["status"]}"#
            )
        ),
        ("Value", bytes(#"{"description":"Anything but null.","type":["string","number","boolean","object","array"],"items":{}}"#)),
        ("Message", bytes(#"{"description":"As it was sent, in any format that is known.","type":"object"}"#)),
        ("Fault", fault),
        (
            "StateChanges",
            bytes(
                #"{"type":"object","properties":{"app":{"type":"string"},"dry_run":{"description":"Nothing was changed.","type":"boolean"},"unreadable":{"description":"What was there could not be read.","type":"boolean"},"changes":{"type":"array","items":{"type":"object","properties":{"path":{"description":"As in a state file.","type":"string"},"old":{},"new":{}},"required":["path"]}},"answers":{"description":"So many kept answers are gone.","type":"integer"}},"required":["app","dry_run","changes"]}"#
            )
        ),
        ("Audit", list("audit", ["at", "who", "app", "action", "subject", "why"])),
        (
            "LoggedDecision",
            bytes(
                #"{"type":"object","description":"A line of traffic, with what was decided: `docs/traffic.md`, `docs/operations.md`. Texts of it may be masked.","properties":{"at":{"type":"string","format":"date-time"},"app":{"type":"string"},"event":{"type":["string","object"]},"message":{"type":"object"},"device":{"type":"object"},"decision":{"description":"Of a message without an event the decisions of its journey.","type":["object","array"],"items":{}},"ruleset":{"type":"string"},"traceparent":{"type":"string"},"masked":{"type":"array","items":{"type":"string"}}},"required":["at","app","device","decision","ruleset"]}"#
            )
        ),
        (
            "Description",
            bytes(
                #"{"type":"object","description":"OpenAPI 3.1.","properties":{"openapi":{"type":"string"},"info":{"type":"object"},"servers":{"type":"array","items":{}},"paths":{"type":"object"},"components":{"type":"object"}},"required":["openapi","info","paths","components"]}"#
            )
        ),
        ("App", app),
        ("Files", bytes(#"{"type":"object","properties":{"files":{"type":"array","items":{"# + file + #"}}},"required":["files"]}"#)),
        ("File", bytes("{\(file)}")),
        (
            "TryRequest",
            bytes(
                #"{"type":"object","description":"Without message and event the cases alone are run.","properties":{"files":{"type":"object","patternProperties":{"^((lib|cases)/)?[A-Za-z0-9_-]{1,60}[.]lua$|^cases/[A-Za-z0-9_-]{1,60}[.]json$":{"type":["string","null"]}},"additionalProperties":false},"#
                    + #""cases":{"description":"true: all cases that the folder would have; false: none; when nothing is said, those among the files.","type":"boolean"},"#
                    + members + #"},"anyOf":["# + alone + #",{"properties":{"cases":{"const":true},"event":{"type":"null"},"#
                    + #""message":{"type":"null"}},"required":["cases"]}]}"#)
        ),
        (
            "TryAnswer",
            bytes(
                ##"{"anyOf":[{"$ref":"#/components/schemas/Answer"},{"type":"object","description":"With cases: beside the members of a decision, beside a journey, or alone.","properties":{"journey":{"type":"array","items":{"$ref":"#/components/schemas/Decision"}},"cases":{"$ref":"#/components/schemas/CasesRun"}},"required":["cases"]}]}"##
            )
        ),
        (
            "CasesRun",
            bytes(
                #"{"type":"object","properties":{"passed":{"type":"integer","minimum":0},"failed":{"type":"integer","minimum":0},"given_up":{"description":"Not all have run.","type":"boolean"},"faults":"#
                    + faults + #"},"required":["passed","failed","faults"],"additionalProperties":false}"#)
        ),
        ("ComparisonRequest", ComparisonSchemas.request),
        ("Comparison", ComparisonSchemas.answer),
        ("Promotion", stage(#""hash":{"type":"string"},"percent":{"type":"integer","minimum":1,"maximum":99},"#, required: #"["hash"]"#)),
        ("Rollback", stage("", required: "[]")),
        ("Reset", bytes(#"{"type":"object","properties":{"recipient":{"type":"string"}},"additionalProperties":false}"#)),
        ("Versions", list("versions", ["hash", "at", "who", "why"], #","stages":{"type":"array","items":{"type":"string"}}"#)),
        (
            "VersionChange",
            bytes(
                #"{"type":"object","properties":{"app":{"type":"string"},"hash":{"type":"string"},"from":{"description":"Not there: all of it is new.","type":"string"},"files":{"type":"array","items":{"type":"object","properties":{"path":{"type":"string"},"change":{"type":"string","enum":["added","removed","changed"]},"lines":{"description":"Each with + or - and a space before it.","type":"array","items":{"type":"string"}}},"required":["path","change","lines"],"additionalProperties":false}}},"required":["app","hash","files"],"additionalProperties":false}"#
            )
        ),
        (
            "VersionFiles",
            bytes(
                #"{"type":"object","properties":{"app":{"type":"string"},"hash":{"type":"string"},"files":{"description":"By path; modules that apps share begin with _shared/. Cases belong to no version.","type":"object","additionalProperties":{"type":"string"}}},"required":["app","hash","files"],"additionalProperties":false}"#
            )
        ),
        ("Deferred", list("deferred", ["recipient", "id", "at"])),
        (
            "Apps",
            bytes(
                ##"{"type":"object","properties":{"apps":{"type":"array","items":{"anyOf":[{"$ref":"#/components/schemas/App"},{"type":"object","description":"Nobody has asked for it yet.","properties":{"app":{"type":"string"}},"required":["app"]}]}}},"required":["apps"]}"##
            )
        ),
        (
            "Problem",
            bytes(
                #"{"type":"object","description":"RFC 9457. `code` is stable, and has a page in docs/errors.","properties":{"type":{"type":"string"},"title":{"type":"string"},"status":{"type":"integer"},"code":{"type":"string"},"detail":{"type":"string"},"hint":{"type":"string"},"pointer":{"type":"string"},"line":{"type":"integer","minimum":1},"column":{"type":"integer","minimum":1},"faults":"#
                    + faults + #"},"required":["type","title","status","code","detail"]}"#
            )
        ),
    ]

    private static let faults = ##"{"type":"array","items":{"$ref":"#/components/schemas/Fault"}}"##

    private static let fault = bytes(
        #"{"type":"object","description":"What is wrong in a file of an app.","properties":{"code":{"type":"string"},"file":{"type":"string"},"line":{"type":"integer"},"column":{"type":"integer"},"message":{"type":"string"},"hint":{"type":"string"},"excerpt":{"type":"string"},"stage":{"description":"Only of the draft of a host that serves another stage.","const":"draft"}},"required":["code","file","message"]}"#
    )

    private static let app = bytes(
        #"{"type":"object","properties":{"app":{"type":"string"},"title":{"type":"string"},"ruleset":{"description":"In force.","type":"string"},"status":{"description":"stale: older rules are in force, or the draft of a host of a stage has a fault; failed: none are.","type":"string","enum":["ok","stale","failed"]},"faults":"#
            + faults
            + #","draft":{"description":"What the folder holds, on a host of a stage.","type":"object","properties":{"ruleset":{"type":"string"},"status":{"type":"string","enum":["ok","failed"]}},"required":["status"]},"canary":{"type":"object","properties":{"ruleset":{"type":"string"},"percent":{"type":"integer"}}},"limits":{"type":"object","description":"Of one evaluation.","properties":{"fuel":{"type":"integer"},"memory_bytes":{"type":"integer"},"milliseconds":{"type":"integer"}}},"counters":{"type":"object","description":"Since the host began.","properties":{"decisions":{"type":"object","additionalProperties":{"type":"integer"}},"rule_errors":{"type":"object","additionalProperties":{"type":"integer"}},"strains":{"type":"object","additionalProperties":{"type":"integer"}},"duplicates":{"type":"integer"},"fuel":{"type":"integer"},"rulesets":{"type":"object","description":"While there is a canary, since it began: by its rules, and by those that all others have.","additionalProperties":{"type":"object","properties":{"decisions":{"type":"object","additionalProperties":{"type":"integer"}},"errors":{"description":"Decisions in which a rule failed.","type":"integer"}},"required":["decisions","errors"]}},"ended_canary":{"type":"object","description":"The last canary that has ended.","properties":{"ruleset":{"type":"string"},"rulesets":{"type":"object","description":"What it and the others have decided while it was there.","additionalProperties":{"type":"object","properties":{"decisions":{"type":"object","additionalProperties":{"type":"integer"}},"errors":{"description":"Decisions in which a rule failed.","type":"integer"}},"required":["decisions","errors"]}}},"required":["ruleset","rulesets"]}}},"stage":{"description":"Of which something was changed.","type":"string"},"ended_canary":{"type":"object","description":"The canary that this has ended, before its time or by bringing it to all.","properties":{"ruleset":{"type":"string"},"percent":{"type":"integer"}},"required":["ruleset","percent"]},"serves":{"description":"The stage that is in force in this host.","type":"string"},"hint":{"type":"string"}},"required":["app","status","faults"]}"#
    )

    private static let file =
        #""type":"object","properties":{"path":{"type":"string"},"size":{"type":"integer"},"etag":{"type":"string"},"link":{"description":"It is edited where it leads.","type":"boolean"}},"required":["path"]"#

    /// What stands in a path.
    static func pattern(ofName name: String) -> String {
        switch name {
        case "app": "^[a-z0-9][a-z0-9-]{0,62}$"
        case "path":
            #"^(lib/([A-Za-z0-9_-]{1,60}/){0,7})?[A-Za-z0-9_-]{1,60}\.lua$|^cases/([A-Za-z0-9_-]{1,60}/){0,7}[A-Za-z0-9_-]{1,60}\.json$"#
        default: #"^[^\x00-\x1f\x7f./][^\x00-\x1f\x7f]*$"#
        }
    }

    static func summary(ofName name: String) -> String? {
        switch name {
        case "path": "NAME.lua, lib/NAME.lua or cases/NAME.json; a slash stands for itself, or as %2F"
        default: nil
        }
    }

    private static func stage(_ members: String, required: String) -> [UInt8] {
        bytes(
            #"{"type":"object","properties":{"# + members
                + #""stage":{"type":"string","pattern":"^[a-z0-9-]{1,32}$"},"why":{"type":"string"}},"additionalProperties":false,"required":"#
                + required + "}")
    }

    private static func list(_ name: String, _ texts: [String], _ more: String = "") -> [UInt8] {
        let members = texts.map { "\"\($0)\":{\"type\":\"string\"}" }.joined(separator: ",") + more
        let required = texts.map { "\"\($0)\"" }.joined(separator: ",")
        return bytes(
            "{\"type\":\"object\",\"properties\":{\"\(name)\":{\"type\":\"array\",\"items\":{\"type\":\"object\",\"properties\":{\(members)},\"required\":[\(required)]}}},\"required\":[\"\(name)\"]}"
        )
    }

    private static let switches = #"{"type":["object","boolean"],"additionalProperties":{"type":"boolean"}}"#
    private static let texts = #"{"type":"array","items":{"type":"string"}}"#
    private static let topicNames = #"{"type":"array","uniqueItems":true,"items":{"type":"string","minLength":1}}"#

    private static let members =
        ##""event":{"description":"What happens; without it, the journey of the message.","anyOf":[{"$ref":"#/components/schemas/Event"},{"type":"null"}]},"##
        + ##""message":{"anyOf":[{"$ref":"#/components/schemas/Message"},{"type":"null"}]},"##
        + ##""device":{"anyOf":[{"$ref":"#/components/schemas/Device"},{"type":"null"}]},"##
        + #""now":{"description":"The moment of the decision; only in a dry run, or for operators.","type":["string","null"],"format":"date-time"}"#
    /// A message, or an event that needs none.
    static let alone =
        ##"{"properties":{"message":{"$ref":"#/components/schemas/Message"}},"required":["message"]},"##
        + event
    private static let event = ##"{"properties":{"event":{"$ref":"#/components/schemas/PersonEvent"}},"required":["event"]}"##

    private static let decideRequest = bytes(#"{"type":"object","properties":{"# + members + #"},"anyOf":["# + alone + "]}")

    private static let decideLine = bytes(
        #"{"type":"object","properties":{"app":{"type":"string","pattern":"^[a-z0-9][a-z0-9-]{0,62}$"},"# + members
            + #"},"required":["app"],"anyOf":["# + alone + "]}")

    private static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
}
