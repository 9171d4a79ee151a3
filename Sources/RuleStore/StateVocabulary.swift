// Every key that the readers of state know, for whoever describes it: each list is the reader's own.

package enum StateVocabulary {
    package static var fileKeys: [String] { StateReader.fileKeys }
    package static var recipientKeys: [String] { StateReader.recipientKeys }
    package static var caseKeys: [String] { StateReader.caseKeys }
    package static var topicKeys: [String] { StateReader.topicKeys }
    package static var tokenKeys: [String] { StateReader.tokenKeys }
    package static var deferredKeys: [String] { DeferredReader.keys }
    package static var seenKeys: [String] { SeenText.fileKeys }
    package static var seenInCaseKeys: [String] { SeenText.caseKeys }
    package static var capKeys: [String] { CapText.keys }
    package static var seenEvents: [String] { SeenText.events }
}
