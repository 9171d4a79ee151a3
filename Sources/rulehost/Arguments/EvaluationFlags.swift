// The flags of the verbs that read messages: what is asked, of which app, and what is known about the phone.

extension Flag {
    static let app = Flag("app", .required("APP", .text), "The app whose rules decide; may be left out when there is only one")
    static let messageFormat = Flag(
        "message-format",
        .required("NAME", .oneOf(["apns", "ios-userinfo", "fcm-v1", "fcm-legacy", "cloudevent", "unknown"])),
        "Read the message as this format, whatever its shape says")
    static let device = Flag("device", .required("FILE|JSON", .file), "What is known about the phone")

    static let state = Flag(
        "state",
        .required(
            "STATE", .oneOf(["foreground", "inactive", "background", "terminated", "force_quit", "not_running"])),
        "The app's state when the message comes")
    static let tab = Flag("tab", .required("TAB", .text), "The tab on screen")
    static let path = Flag(
        "path", .required("A,B", .text), repeats: true, "The screens above that tab, outermost first; or once for each")
    static let tap = Flag("tap", .none, "The user taps the notification")
    static let action = Flag("action", .required("ID", .text), "The user chooses this action of the notification")
    static let permission = Flag(
        "permission",
        .required(
            "WORD", .oneOf(["authorized", "denied", "provisional", "ephemeral", "not_determined", "unknown"])),
        "What the user allowed in the phone's settings")
    static let badge = Flag("badge", .required("N", .text), "The number on the app's icon")
    static let timezone = Flag("timezone", .required("ZONE", .text), "The phone's time zone, such as Asia/Seoul")
    static let recipient = Flag("recipient", .required("ID", .text), "Whose phone it is; state belongs to a recipient")
    static let set = Flag(
        "set", .required("SWITCH=on|off", .text), repeats: true,
        "A switch of the user: channel.CODE=off or app_push=off")
    static let now = Flag(
        "now", .required("TIME", .text), "The moment of the evaluation, such as 2026-01-01T12:00:00Z (default: now)")

    static let event = Flag(
        "event", .required("EVENT", .text),
        "One event instead of the journey: send, enrich, receive, present, open, resume; or JSON with its details, as account, token, "
            + "settings and due need them")
    static let stateFile = Flag("state-file", .required("FILE", .file), "What the app remembers, read only")
    static let apply = Flag(
        "apply", .required("FILE", .file), "Carry the effects from message to message and write them to this state file")
    static let trace = Flag(
        "trace", .optional("rules|lines", ["rules", "lines"]),
        "Every rule: matched or why not, what it set, what it lost; lines: also each line that ran, with the values it touched")
    static let emit = Flag(
        "emit", .required("decision|payload", .oneOf(["decision", "payload"])),
        "payload: the message in its own format with the decision applied")
    static let fetch = Flag(
        "fetch", .none, "Try to fetch the pictures that would be attached, over https and from public addresses only")
    static let usage = Flag("usage", .none, "Also memory and time of each evaluation")

    /// Those that say something about the phone, for eval.
    static let shortcuts: [Flag] = [
        .state, .tab, .path, .tap, .action, .permission, .badge, .timezone, .recipient, .set,
    ]
}
