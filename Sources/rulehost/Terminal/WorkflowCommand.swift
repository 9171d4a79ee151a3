// One line by which a workflow of GitHub puts a remark beside a line of a file: `::error file=…,line=…,title=…::message`.
// Called by the reports of `check` and `test`; it knows nothing of what they say.

struct WorkflowCommand {
    /// "error" or "warning".
    let severity: String
    let path: String
    /// From 1; 0: the file as a whole.
    var line = 0
    /// From 1; 0: the line as a whole.
    var column = 0
    let title: String
    let message: String

    /// With a newline at its end.
    var text: String {
        var properties = "file=\(WorkflowCommand.property(path.printable))"
        if line > 0 { properties += ",line=\(line)" }
        if line > 0, column > 0 { properties += ",col=\(column)" }
        properties += ",title=\(WorkflowCommand.property(title.printable))"
        return "::\(severity) \(properties)::\(WorkflowCommand.data(message.printableLines))\n"
    }

    private static func data(_ text: String) -> String {
        text.replacing("%", with: "%25").replacing("\r\n", with: "%0D%0A").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
    }

    private static func property(_ text: String) -> String { data(text).replacing(":", with: "%3A").replacing(",", with: "%2C") }
}
