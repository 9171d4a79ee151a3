// The program. Everything it does is a verb; see Program for the list.
import Glibc
import RuleWorkers

// A process that runs rules for another one is this program under another name.
if CommandLine.arguments.first == WorkerProcess.name { exit(WorkerProcess.run(CommandLine.arguments)) }

// Without /proc Swift does not even know what it was asked.
if CommandLine.arguments.isEmpty {
    let sentence = "rulehost: error: /proc is not there, from which a program reads its arguments; mount it: mount -t proc proc /proc\n"
    _ = write(2, sentence, sentence.utf8.count)
    exit(70)
}

// What comes next must not be taken for an input or an output that was closed: those stay as useless as they were.
for (number, mode) in [(Int32(0), O_WRONLY), (1, O_RDONLY), (2, O_RDONLY)] where fcntl(number, F_GETFD) == -1 {
    _ = open("/dev/null", mode)
}

// A reader that goes away early is no fault: writes then answer EPIPE, and Console ends quietly. A file that may not
// grow any further is an error like a full disk, not an end.
signal(SIGPIPE, SIG_IGN)
signal(SIGXFSZ, SIG_IGN)
exit(Program.run(Array(CommandLine.arguments.dropFirst())).rawValue)
