// The files of a new app: what it is, one rule that works, and two cases that prove it. They are the first thing of ours
// that its author reads.

enum AppScaffold {
    static func files(of app: String) -> [(path: String, text: String)] {
        [
            ("app.lua", manifest(app)), ("banner.lua", rules), ("cases/banner.json", cases),
        ]
    }

    /// "my-shop" → "My shop"
    private static func title(_ app: String) -> String {
        let words = app.replacing("-", with: " ")
        return words.prefix(1).uppercased() + words.dropFirst()
    }

    private static func manifest(_ app: String) -> String {
        """
        -- \(title(app)): what the app is.
        --
        -- banner.lua   what happens when a message comes while the app is in front
        -- cases/       examples with the answer that must come out: `rulehost test \(app)`
        --
        -- `rulehost docs app` lists what can stand here.
        return {
          api   = 1,
          title = "\(title(app))",
          tabs  = { "home" },
        }

        """
    }

    private static let rules = """
        -- A message comes while the person is using the app. `rulehost docs rule` lists the keys of a rule, `rulehost docs
        -- decide` what it may want; without any rule a message is shown as it was sent.
        rule "Home tab open: into the list, no noise" {
          on     = "present",
          tab    = "home",
          decide = { display = { "list" }, reason = "the home tab is on screen" },
        }

        """

    private static let cases = """
        [
          {
            "name": "The home tab is on screen: into the list",
            "proves": ["tab", "display"],
            "message": {"message_id": "m-1", "aps": {"alert": {"title": "Hello", "body": "Does it work?"}}},
            "device": {"recipient": "u-1", "state": "foreground", "screen": {"tab": "home"}},
            "event": "present",
            "expect": {"display": {"action": "show", "options": ["list"]}}
          },
          {
            "name": "The app is not in front: shown as it was sent",
            "message": {"message_id": "m-1", "aps": {"alert": {"title": "Hello", "body": "Does it work?"}}},
            "device": {"recipient": "u-1", "state": "background"},
            "event": "send",
            "expect": {"display": {"action": "show", "options": ["banner", "list"]}}
          }
        ]

        """
}
