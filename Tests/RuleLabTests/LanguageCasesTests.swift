// Apps that exist only to be tested, one for each part of the rule language: the rules of Tests/Cases/apps, and what
// they must answer.
import RuleStore
import Testing

@testable import RuleLab

struct LanguageCasesTests {
    private static let folder = RulesFolder(path: "\(ShippedCasesTests.repository)/Tests/Cases/apps")
    private static let apps: [String] = {
        do throws(StoreFault) { return try folder.apps() } catch { return [] }
    }()

    @Test("There are cases for hours and dates, texts and pictures")
    func areThere() {
        #expect(["hours", "texts", "pictures"].allSatisfy(Self.apps.contains))
    }

    @Test("Every case of the rule language passes", arguments: apps)
    func pass(app: String) throws {
        guard case .ran(let results, let broken) = try AppCases.run(app, in: Self.folder) else {
            Issue.record("\(app) does not load or has no cases")
            return
        }
        for file in broken { Issue.record("\(app)/\(file.file):\(file.fault.line): \(file.fault.message)") }
        #expect(!results.isEmpty)
        for result in results where result.outcome != .passed {
            Issue.record("\(app)/\(result.file):\(result.line) \(result.name): \(result.outcome)")
        }
    }
}
