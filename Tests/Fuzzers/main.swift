// Throws bytes at the rooms that are written in Swift: `Fuzzers NAME WORDS…` with libFuzzer's own words, and
// `Fuzzers seeds NAME FOLDER FILE…` for what it begins with. Built and run by scripts/fuzz.sh; no other build has it.
import CFuzzDriver
import Glibc

var words = CommandLine.arguments
if words.count >= 4, words[1] == "seeds", let fuzzer = FuzzerName(rawValue: words[2]) {
    try Seeds(of: fuzzer, in: words[3]).write(from: words.dropFirst(4))
    exit(0)
}
guard words.count >= 2, let fuzzer = FuzzerName(rawValue: words.remove(at: 1)) else {
    print("usage: Fuzzers [seeds] \(FuzzerName.allCases.map(\.rawValue).joined(separator: "|")) …")
    exit(2)
}
Chosen.fuzzer = fuzzer.make()

// libFuzzer keeps the words for as long as it runs.
var count = CInt(words.count)
var pointers: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = .allocate(capacity: words.count + 1)
for (place, word) in words.enumerated() { pointers?[place] = strdup(word) }
pointers?[words.count] = nil
exit(LLVMFuzzerRunDriver(&count, &pointers) { Chosen.run($0, $1) })
