// Any bytes as a device: refused with what is wrong, or read; then rules see it, and the evaluation is whole.
import JSONDocument
import PushMessage

@testable import RuleEngine

final class DeviceFuzzer: Fuzzer {
    private let scene = FuzzScene()
    private let devices = DeviceReader()
    private let evaluator: Evaluator

    init() {
        let rules = #"""
            rule "looks" {
              on = "present", quiet = { "22:00", "07:00", otherwise = "defer" }, min_os = "16", app_version = ">=1",
              cap = { 3, per = "day" }, rollout = 90,
              decide = function(msg, device)
                return { title = json.encode(device):sub(1, 1000), badge = "+1", topics = { subscribe = { "a" } } }
              end,
            }
            rule "reads" {
              on = "present", locale = "ko", os = { "ios", "android" },
              decide = function(msg, device) return { display = "defer", hold_until = "09:00", reason = text.tr("a") } end,
            }
            """#
        evaluator = load(FuzzScene.files(rules: Array(rules.utf8)))
    }

    func run(_ bytes: UnsafeRawBufferPointer) {
        let device: Device
        do throws(DeviceFault) {
            device = try devices.read(bytes)
        } catch {
            switch error {
            case .unreadable(let fault): demand((0...bytes.count).contains(fault.offset), "a fault lies inside the text: \(fault)")
            case .wrong(let fault): demand(!fault.message.isEmpty, "a fault says what is wrong: \(fault)")
            }
            return
        }
        guard let view = device.view else { return demand(false, "rules see the device") }
        var writer = JSONWriter()
        writer.value(view)
        demandJSON(writer.bytes, "the device of rules")
        for warning in device.warnings { demand(!warning.message.isEmpty, "a warning says what is wrong: \(warning)") }
        var request = scene.request()
        request.device = device
        let question = Question(request, windows: DedupeWindows())
        scene.demandWhole(evaluator.evaluate(request), to: question, of: evaluator.ruleset)
    }
}

func load(_ files: [SourceFile]) -> Evaluator {
    switch RulesetLoader.load(app: "app", files: files, limits: FuzzScene.limits) {
    case .loaded(let app): return Evaluator(app)
    case .failed(let faults):
        demand(false, "the app loads: \(faults)")
        return load(FuzzScene.files(rules: []))
    }
}
