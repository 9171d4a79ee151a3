// The program. Everything it does is a verb; see Program for the list.
import Glibc
import RuleWorkers

// A process that runs rules for another one is this program under another name.
if CommandLine.arguments.first == WorkerProcess.name { exit(WorkerProcess.run(CommandLine.arguments)) }

// A reader that goes away early is no fault: writes then answer EPIPE, and Console ends quietly. A file that may not
// grow any further is an error like a full disk, not an end.
signal(SIGPIPE, SIG_IGN)
signal(SIGXFSZ, SIG_IGN)
exit(Program.run(Array(CommandLine.arguments.dropFirst())).rawValue)
