// An app under attack by its neighbours: the reference job in a pool of processes, alone and while other apps of the pool
// do what hostile rules do, in turns, so that what else the machine is busy with meets both.
import RuleEngine
import RuleWorkers

public struct NeighbourMeasurement: Sendable {
    /// How long single messages took from bytes to bytes, in nanoseconds on the clock.
    public struct Latency: Sendable {
        public let median, p99, longest: Double

        init(_ samples: [Double]) {
            let sorted = samples.sorted()
            let at = { (part: Double) in sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, Int(Double(sorted.count) * part))] }
            (median, p99, longest) = (at(0.5), at(0.99), sorted.last ?? 0)
        }
    }

    public let alone: Latency
    public let attacked: Latency
    /// Messages of each of the two.
    public let messages: Int
    /// Apps that attacked at the same time, and scripts that they have run to an end.
    public let attackers: Int
    public let attacks: Int
    /// All answers under attack are those without one, byte for byte.
    public let isSame: Bool

    /// How many times as long the slowest hundredth takes.
    public var factor: Double { alone.p99 > 0 ? attacked.p99 / alone.p99 : 0 }
}

struct NeighbourRun {
    let program: String
    let scripts: [SourceFile]
    let attackers: Int

    func measure(_ messages: [[UInt8]], _ device: [UInt8], rounds: Int) throws(BenchmarkFault) -> NeighbourMeasurement {
        var alone: [Double] = []
        var attacked: [Double] = []
        var expected: [UInt8]?
        var isSame = true
        var attacks = 0
        for _ in 0..<rounds {
            // A new pool each time, in which nobody is known yet.
            let pool = WorkerPool(program: program, spare: true)
            let job = try IsolationRun(in: pool)
            _ = try round(job, messages.prefix(100), device)
            let first = try round(job, messages[...], device)
            alone += first.times
            let attack = Attack(on: pool, by: scripts, from: attacks, attackers: attackers)
            let answers: [UInt8]
            do throws(BenchmarkFault) {
                let second = try round(job, messages[...], device)
                attacked += second.times
                answers = second.answers
            } catch {
                _ = attack.end()
                throw error
            }
            attacks += attack.end()
            isSame = isSame && answers == first.answers && first.answers == expected ?? first.answers
            expected = first.answers
        }
        return NeighbourMeasurement(
            alone: .init(alone), attacked: .init(attacked), messages: alone.count, attackers: attackers, attacks: attacks,
            isSame: isSame)
    }

    private func round(
        _ job: IsolationRun, _ messages: ArraySlice<[UInt8]>, _ device: [UInt8]
    ) throws(BenchmarkFault) -> (times: [Double], answers: [UInt8]) {
        var times: [Double] = []
        var answers: [UInt8] = []
        var state = AppState()
        for message in messages {
            let start = clockTime()
            let answer = try job.decide(message, device, &state)
            times.append(clockTime() - start)
            answers += answer
        }
        return (times, answers)
    }
}
