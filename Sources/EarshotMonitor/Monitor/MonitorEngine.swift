import Dispatch
package import EarshotCore
import EarshotRecognition
package import EarshotSignatures
import Foundation
import Synchronization

/// The threads of a monitor: one queue on which its core works, one for searches in the store, one for receivers, and tasks
/// for the service and for timers.
///
/// Unchecked, because the compiler cannot see that `core`, `timer` and what stands beside them are touched on `queue` only.
package final class MonitorEngine: @unchecked Sendable {
    /// A function that searches the fingerprint store on the device.
    package typealias LocalLookup = @Sendable (Signature) -> Result<[MonitorMatch], EarshotError>

    /// An event or result for receivers.
    enum Report: Sendable {
        case status(StatusEvent)
        case result(MonitorResult)
        case music([MusicMatch])

        var isStatus: Bool {
            if case .status = self { true } else { false }
        }
    }

    /// The number of the run, counted up by each start and stop: what an earlier run still has under way is dropped.
    private struct RunCount {
        var number = 0
        /// The number that the last stop gave. What is reported under a lower one is late.
        var lastStop = 0

        mutating func countStart() -> Int {
            number += 1
            return number
        }

        mutating func countStop() -> Int {
            number += 1
            lastStop = number
            return number
        }
    }

    /// The least time between questions about music, in seconds.
    static let musicInterval = MediaTime(value: 30, timescale: 1)

    private let queue = DispatchQueue(label: "earshot.monitor", qos: .userInitiated)
    private let searches = DispatchQueue(label: "earshot.monitor.search", qos: .userInitiated)
    private let reports = DispatchQueue(label: "earshot.monitor.reports", qos: .userInitiated)
    private let local: LocalLookup?
    private let service: (any RecognitionService)?
    private let options: Monitor.Options
    private let intake: InputQueue
    private let receiver = Mutex<(@Sendable (Report, _ isLate: Bool) -> Void)?>(nil)
    private let run = Mutex(RunCount())

    private var core: MonitorCore
    private var timer: (deadline: MediaTime, task: Task<Void, Never>)?
    private var online: Task<Void, Never>?
    private var music: Task<Void, Never>?
    private var musicAskedAt: MediaTime?

    init(
        local: LocalLookup?,
        service: (any RecognitionService)?,
        options: Monitor.Options,
        intake: InputQueue
    ) {
        self.local = local
        self.service = service
        self.options = options
        self.intake = intake
        core = MonitorCore(
            properties: MonitorProperties(),
            keptAudio: options.keptAudio.seconds,
            wallClock: options.wallClock
        )
        core.isDebugLogging = options.isDebugLogging
    }

    /// Sets who is handed reports. A status event is late if its run was stopped while it waited; results of such a run are
    /// dropped.
    func receive(_ body: @escaping @Sendable (Report, _ isLate: Bool) -> Void) { receiver.withLock { $0 = body } }

    private var now: MediaTime { options.clock.now }

    // MARK: - Orders

    func start() {
        run.withLock { run in
            let number = run.countStart()
            queue.async { [self] in carryOut(core.start(now), number) }
        }
    }

    func stop() {
        run.withLock { run in
            let number = run.countStop()
            queue.async { [self] in
                carryOut(core.stop(now), number)
                timer?.task.cancel()
                timer = nil
                online?.cancel()
                online = nil
                music?.cancel()
                (music, musicAskedAt) = (nil, nil)
            }
        }
    }

    func set(_ properties: MonitorProperties) { order { core, now in core.set(properties, now) } }

    func setDebugLogging(_ isOn: Bool) { queue.async { [self] in core.isDebugLogging = isOn } }

    func requestLookup() { order { core, now in core.requestLookup(now) } }

    func gap(_ seconds: Double) { order { core, now in core.gap(seconds, now) } }

    func noteIngest(_ count: Int) {
        var event = StatusEvent(.ingestProgress, value: Double(count), at: now, options.wallClock())
        event.text = "\(count) bytes"
        report(.status(event))
    }

    func lookAtIntake() {
        order { [intake] core, now in
            let (buffers, dropped) = intake.takeAll()
            var outputs: [MonitorCore.Output] = []
            if dropped > 0 { outputs += core.gap(dropped, now) }
            for buffer in buffers { outputs += core.append(buffer, now) }
            return outputs
        }
    }

    private func order(_ body: @escaping @Sendable (inout MonitorCore, MediaTime) -> [MonitorCore.Output]) {
        // In one step: what is ordered in a run is not to be carried out under the number of the one before.
        run.withLock { run in
            let number = run.number
            queue.async { [self] in carryOut(body(&core, now), number) }
        }
    }

    // MARK: - Waiting

    /// Waits until queued audio has been processed: a source that is faster than real time pauses here.
    func waitForRoom() async {
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
    }

    /// Returns when nothing is looked up any more, however long that takes, and all of it has been handed out; also when the
    /// run has ended.
    func settle() async {
        while !Task.isCancelled {
            let isIdle = await withCheckedContinuation { continuation in
                queue.async { [self] in continuation.resume(returning: core.isIdle) }
            }
            if isIdle { break }
            try? await Task.sleep(for: .milliseconds(1))
        }
        await withCheckedContinuation { continuation in reports.async { continuation.resume() } }
    }

    func recentAudio(_ seconds: Double) async -> AudioBuffer? {
        await withCheckedContinuation { continuation in
            queue.async { [self] in continuation.resume(returning: AudioBuffer.joined(core.audio.last(seconds))) }
        }
    }

    /// Returns when what was handed in has been looked at, and a question about music that came of it is answered.
    func settleMusic() async {
        let question: Task<Void, Never>? = await withCheckedContinuation { continuation in
            queue.async { [self] in continuation.resume(returning: music) }
        }
        await question?.value
    }

    /// Runs a closure on the queue of the core, for tests that need to block it.
    package func hold(_ body: @escaping @Sendable () -> Void) { queue.async(execute: body) }

    // MARK: - What the core wants

    private func carryOut(_ outputs: [MonitorCore.Output], _ number: Int) {
        for output in outputs {
            switch output {
            case .status(let event): report(.status(event), of: number)
            case .result(let result): report(.result(result), of: number)
            case .searchLocal(let lookup, let signature): searchLocal(lookup, signature, number)
            case .searchOnline(let lookup, let signature): searchOnline(lookup, signature, number)
            case .music: askForMusic(number)
            }
        }
        schedule(number)
    }

    private func report(_ report: Report, of number: Int? = nil) {
        reports.async { [self] in
            var isLate = false
            if let number { isLate = run.withLock { number < $0.lastStop } }
            // After a stop nothing of the run before it is handed out but its last words.
            if isLate, !report.isStatus { return }
            receiver.withLock { $0 }?(report, isLate)
        }
    }

    private func searchLocal(_ lookup: Int, _ signature: Signature, _ number: Int) {
        searches.async { [self] in
            let answer = local?(signature) ?? .success([])
            answered(number) { core, now in core.local(answer, lookup: lookup, now) }
        }
    }

    private func searchOnline(_ lookup: Int, _ signature: Signature, _ number: Int) {
        online = Task { [self] in
            let answer: Result<BroadcastAnswer, EarshotError>
            do throws(EarshotError) {
                let query = RecognitionQuery(signature)
                answer = .success(
                    try await service?.recognizeBroadcast(query, options.preferences) ?? BroadcastAnswer()
                )
            } catch {
                answer = .failure(error)
            }
            answered(number) { core, now in core.online(answer, lookup: lookup, now) }
        }
    }

    private func answered(
        _ number: Int,
        _ body: @escaping @Sendable (inout MonitorCore, MediaTime) -> [MonitorCore.Output]
    ) {
        queue.async { [self] in
            guard run.withLock({ $0.number == number }) else { return }
            carryOut(body(&core, now), number)
        }
    }

    private func askForMusic(_ number: Int) {
        guard let service = options.musicService else { return }
        if let last = musicAskedAt, now - last < Self.musicInterval { return }
        guard let audio = AudioBuffer.joined(core.audio.last(options.keptAudio.seconds)), audio.duration.seconds >= 3
        else {
            return
        }
        musicAskedAt = now
        let preferences = options.preferences
        music = Task { [self] in
            do throws(EarshotError) {
                var generator = SignatureGenerator()
                try generator.append(audio)
                let limit = MediaTime(value: 12, timescale: 1)
                let query = RecognitionQuery(generator.signature(last: limit).signature)
                let matches = try await service.recognize(query, preferences)
                if !matches.isEmpty { report(.music(matches), of: number) }
            } catch {
                let failure = error
                answered(number) { core, now in [core.failure(failure, now)] }
            }
        }
    }

    // MARK: - Timers

    private func schedule(_ number: Int) {
        let deadline = core.deadline
        guard deadline != timer?.deadline else { return }
        timer?.task.cancel()
        timer = nil
        guard let deadline else { return }
        let clock = options.clock
        let task = Task { [weak self] in
            guard (try? await clock.sleep(until: deadline)) != nil, let self else { return }
            self.queue.async { [self] in
                guard self.timer?.deadline == deadline else { return }
                self.timer = nil
                guard self.run.withLock({ $0.number == number }) else { return }
                self.carryOut(self.core.tick(self.now), number)
            }
        }
        timer = (deadline, task)
    }
}
