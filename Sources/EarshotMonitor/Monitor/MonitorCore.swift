import EarshotCatalogs
import EarshotClassification
import EarshotCore
import EarshotRecognition
import EarshotSignatures
import Foundation

/// All of a monitor but its threads: what it makes of audio, time and answers. Pure: it has no clock, no store and no network.
struct MonitorCore: Sendable {
    /// The time without audio after which it counts as stopped.
    static let audioPause = MediaTime(value: 2, timescale: 1)
    /// The duration of audio from before a lookup that its fingerprint may contain, in seconds.
    static let lookback = 3.0

    /// An effect to carry out.
    enum Output: Sendable {
        case status(StatusEvent)
        case result(MonitorResult)
        case searchLocal(lookup: Int, Signature)
        case searchOnline(lookup: Int, Signature)
        /// The audio was music: a moment to ask what music.
        case music
    }

    /// A lookup under way, or just ended.
    struct Running: Sendable {
        var lookup: QueryScheduler.Lookup
        var maker: QueryBuilder
        var signature: Signature?
        /// The stream's time at the first sample of the fingerprint, in seconds.
        var began: Double
        var searchedAt: MediaTime = .zero
        var matches: [MonitorMatch] = []
        var source: MonitorResult.Source?
        var error: EarshotError?
    }

    private(set) var scheduler: QueryScheduler
    var isDebugLogging = false
    let wallClock: @Sendable () -> Date

    private(set) var analyzer = StreamAnalyzer()
    private var cutter = Chunker()
    private(set) var audio: RollingAudio
    private var captured = CaptureClock()
    /// The stream's time at the end of the last piece, in seconds; gaps count.
    private(set) var end = 0.0
    /// Seconds of audio since the last break or change: no fingerprint reaches further back.
    private var steady = 0.0
    private var lastAudioAt: MediaTime?
    private var hasAudio = false
    /// The missing duration reported since the last audio, in seconds.
    private var toldGap = 0.0
    private var format: AudioFormat?
    var running: Running?
    private var surroundings = LookupLength.Surroundings()
    private var length: LookupLength?
    private var lastMatch: MonitorMatch?
    /// The end of the last match by its duration.
    private var contentEnds: MediaTime?

    init(properties: MonitorProperties, keptAudio: Double, wallClock: @escaping @Sendable () -> Date) {
        scheduler = QueryScheduler(properties)
        audio = RollingAudio(limit: keptAudio)
        self.wallClock = wallClock
    }

    /// `true` if no search is running.
    var isIdle: Bool {
        switch scheduler.state {
        case .stopped, .waiting, .fingerprinting: true
        case .searchingLocal, .searchingOnline: false
        }
    }

    /// The time at which ``tick(_:)`` must be called if nothing happens before.
    var deadline: MediaTime? {
        guard scheduler.state != .stopped else { return nil }
        let pause = hasAudio ? lastAudioAt.map { $0 + Self.audioPause } : nil
        return [scheduler.deadline, pause, contentEnds].compactMap(\.self).min()
    }

    // MARK: - Life

    mutating func start(_ now: MediaTime) -> [Output] {
        guard scheduler.state == .stopped else { return [] }
        forgetAudio()
        (captured, end, hasAudio, lastAudioAt, lastMatch) = (CaptureClock(), 0, false, nil, nil)
        toldGap = 0
        contentEnds = nil
        analyzer = StreamAnalyzer()
        surroundings = .init()
        return handle(.start, now)
    }

    mutating func stop(_ now: MediaTime) -> [Output] {
        guard scheduler.state != .stopped else { return [] }
        var outputs = handle(.stop, now)
        if hasAudio { outputs.append(status(.audioStopped, now)) }
        (running, contentEnds) = (nil, nil)
        hasAudio = false
        return outputs
    }

    mutating func set(_ properties: MonitorProperties, _ now: MediaTime) -> [Output] {
        var outputs: [Output] = []
        if isDebugLogging {
            for snap in properties.snaps {
                outputs.append(debug("\(snap.property) was set to \(snap.given), and \(snap.used) is used.", now))
            }
        }
        if properties.optimization != scheduler.properties.optimization { length = nil }
        return outputs + perform(scheduler.set(properties, at: now), now)
    }

    mutating func requestLookup(_ now: MediaTime) -> [Output] { handle(.manual, now) }

    mutating func tick(_ now: MediaTime) -> [Output] {
        var outputs: [Output] = []
        if hasAudio, let last = lastAudioAt, now >= last + Self.audioPause {
            hasAudio = false
            outputs.append(status(.audioStopped, now))
            contentEnds = nil
        }
        outputs += endContent(now)
        return outputs + handle(.time, now)
    }

    /// Ends the last match by its duration: a change of content that need not be audible.
    private mutating func endContent(_ now: MediaTime) -> [Output] {
        guard let ends = contentEnds, now >= ends else { return [] }
        contentEnds = nil
        steady = min(steady, max(0, (now - ends).seconds))
        return [status(.transition, now) { ($0.value, $0.text) = (1, "end") }] + handle(.transition, now)
    }

    // MARK: - Audio

    /// Takes audio that has just arrived.
    mutating func append(_ buffer: AudioBuffer, _ now: MediaTime) -> [Output] {
        guard scheduler.state != .stopped, buffer.frameCount > 0 else { return [] }
        var outputs: [Output] = []
        if !hasAudio {
            // After a pause nobody knows how much is missing; what was heard before is another recording.
            if let last = lastAudioAt {
                // Time has gone by for positions, though not for the stream.
                end += max(0, (now - last).seconds - buffer.duration.seconds - toldGap)
                breakOff(&outputs, now)
            }
            hasAudio = true
            format = buffer.format
            outputs.append(status(.audioStarted, now) { $0.text = buffer.format.description })
        } else if buffer.format != format {
            format = buffer.format
            breakOff(&outputs, now)
        }
        (lastAudioAt, toldGap) = (now, 0)
        let pieces = cutter.append(buffer)
        for (index, piece) in pieces.enumerated() {
            end += piece.duration.seconds
            // A piece in the middle of a buffer arrives with its end.
            let following = pieces[(index + 1)...].reduce(0) { $0 + $1.duration.seconds }
            captured.note(end + following, arrivedAt: now)
            outputs += take(piece, now)
        }
        return outputs
    }

    private mutating func take(_ piece: AudioBuffer, _ now: MediaTime) -> [Output] {
        var outputs: [Output] = []
        audio.append(piece)
        steady += piece.duration.seconds
        if running?.signature == nil, running != nil {
            do throws(EarshotError) {
                try running?.maker.append(piece)
            } catch {
                running?.error = error
                outputs.append(failure(error, now))
                outputs += handle(.error, now)
            }
        }
        for observation in analyzer.append(piece) { outputs += observe(observation, now) }
        outputs += completeFingerprint(now)
        return outputs
    }

    private mutating func completeFingerprint(_ now: MediaTime) -> [Output] {
        guard let running, case .fingerprinting = scheduler.state, running.maker.isComplete else { return [] }
        guard let signature = running.maker.signature else {
            // Clicks are loud and have no landmarks either.
            let text = running.maker.isSilent ? "silence" : "no landmarks"
            let failed = status(.fingerprintFailed, now) { $0.text = text }
            return [failed] + handle(.fingerprintFailed, now)
        }
        self.running?.signature = signature
        let done = status(.fingerprintDone, now) { $0.value = (running.maker.seconds * 1_000).rounded() }
        let query = status(.queryStarted, now) {
            ($0.trigger, $0.lookupKind) = (running.lookup.trigger, running.lookup.kind)
        }
        return [done, query] + handle(.fingerprintReady, now)
    }

    /// Audio is missing.
    ///
    /// - Parameter seconds: The duration; `nil` if it is not known.
    mutating func gap(_ seconds: Double?, _ now: MediaTime) -> [Output] {
        guard scheduler.state != .stopped else { return [] }
        var outputs = [status(.audioGap, now) { $0.value = ((seconds ?? 0) * 1_000).rounded() }]
        // What is fingerprinted anew begins behind the gap.
        end += seconds ?? 0
        toldGap += seconds ?? 0
        breakOff(&outputs, now)
        return outputs
    }

    private mutating func breakOff(_ outputs: inout [Output], _ now: MediaTime) {
        forgetAudio()
        analyzer.skip()
        guard running?.signature == nil, let lookup = running?.lookup else { return }
        beginFingerprint(lookup, lookback: 0)
        outputs.append(status(.fingerprintRestarted, now))
    }

    private mutating func forgetAudio() {
        contentEnds = nil
        cutter.reset()
        audio.reset()
        steady = 0
    }

    // MARK: - What is heard

    private mutating func observe(_ observation: AudioObservation, _ now: MediaTime) -> [Output] {
        switch observation.content {
        case .level(let level):
            surroundings.level = level
            return [status(.audioLevel, now) { $0.value = level }]
        case .silent(let level, _): return [status(.silent, now) { $0.value = level }]
        case .audible(let level): return [status(.audible, now) { $0.value = level }]
        case .silentRatio(let ratio): return [status(.silentRatio, now) { $0.value = ratio }]
        case .classification(let classification):
            surroundings.noise = classification.probabilities[.noise] ?? 0
            surroundings.music = classification.probabilities[.music] ?? 0
            var outputs: [Output] = []
            if let kind = StatusEvent.Kind(classification.kind) {
                outputs.append(status(kind, now) { $0.value = classification.confidence })
            }
            if classification.kind == .music { outputs.append(.music) }
            return outputs + adapt(now)
        case .transition(let score, let instant):
            // The change lies a little back; a fingerprint begins behind it.
            steady = min(steady, max(0, observation.time.seconds - instant.seconds))
            return [status(.transition, now) { $0.value = score }] + handle(.transition, now)
        }
    }

    /// Follows the surroundings, in the mode that does.
    private mutating func adapt(_ now: MediaTime) -> [Output] {
        guard scheduler.properties.optimization == .adaptive else { return [] }
        let new = LookupLength.length(.adaptive, in: surroundings)
        defer { length = new }
        guard let length, length != new else { return [] }
        return [status(.optimizationChanged, now) { $0.text = new.name }]
    }

    // MARK: - Answers

    /// The fingerprint store has answered.
    mutating func local(_ answer: Result<[MonitorMatch], EarshotError>, lookup: Int, _ now: MediaTime) -> [Output] {
        guard running?.lookup.id == lookup, case .searchingLocal = scheduler.state else { return [] }
        switch answer {
        case .success(let matches): return found(matches, matches.isEmpty ? nil : .local, isLocal: true, now)
        case .failure(let error): return failed(error, isLocal: true, now)
        }
    }

    /// The service has answered.
    mutating func online(_ answer: Result<BroadcastAnswer, EarshotError>, lookup: Int, _ now: MediaTime) -> [Output] {
        guard running?.lookup.id == lookup, scheduler.state == .searchingOnline else { return [] }
        switch answer {
        case .success(let answer):
            let source = answer.source.flatMap { MonitorResult.Source(rawValue: $0.rawValue) }
            return found(answer.matches.map { MonitorMatch($0) }, source, isLocal: false, now)
        case .failure(let error): return failed(error, isLocal: false, now)
        }
    }

    private mutating func found(
        _ matches: [MonitorMatch],
        _ source: MonitorResult.Source?,
        isLocal: Bool,
        _ now: MediaTime
    ) -> [Output] {
        let instant = captured.instant(of: running?.began ?? end)
        running?.matches = matches.map { match in
            var match = match
            match.capturedAt = instant
            match.adjustedPosition = match.position(at: now)
            return match
        }
        running?.source = source
        running?.error = nil
        let done = stageDone(isLocal, matches.isEmpty ? "miss" : "hit", now)
        let event: QueryScheduler.Event =
            isLocal ? (matches.isEmpty ? .localMiss : .localHit) : (matches.isEmpty ? .onlineMiss : .onlineHit)
        return [done] + handle(event, now)
    }

    private mutating func failed(_ error: EarshotError, isLocal: Bool, _ now: MediaTime) -> [Output] {
        running?.error = error
        return [stageDone(isLocal, "error", now), failure(error, now)] + handle(.error, now)
    }

    private func stageDone(_ isLocal: Bool, _ text: String, _ now: MediaTime) -> Output {
        status(isLocal ? .localLookupDone : .onlineLookupDone, now) {
            $0.value = ((now - (running?.searchedAt ?? now)).seconds * 1_000).rounded()
            $0.text = text
        }
    }

    // MARK: - What the scheduler wants

    private mutating func handle(_ event: QueryScheduler.Event, _ now: MediaTime) -> [Output] {
        perform(scheduler.handle(event, at: now), now)
    }

    private mutating func perform(_ effects: [QueryScheduler.Effect], _ now: MediaTime) -> [Output] {
        var outputs: [Output] = []
        for effect in effects { perform(effect, now, &outputs) }
        return outputs
    }

    private mutating func perform(_ effect: QueryScheduler.Effect, _ now: MediaTime, _ outputs: inout [Output]) {
        switch effect {
        case .beginFingerprint(let lookup):
            beginFingerprint(lookup, lookback: Self.lookback)
            outputs.append(
                status(.fingerprintStarted, now) { ($0.trigger, $0.lookupKind) = (lookup.trigger, lookup.kind) }
            )
        case .restartFingerprint:
            // A change is noticed a while after it happened: what was heard since belongs to the new content.
            if let lookup = running?.lookup { beginFingerprint(lookup, lookback: Self.lookback) }
            outputs.append(status(.fingerprintRestarted, now))
        case .upgrade(let trigger):
            if let lookup = scheduler.lookup { running?.lookup = lookup }
            outputs.append(status(.fingerprintUpgraded, now) { $0.trigger = trigger })
        case .searchLocal: search(isLocal: true, now, &outputs)
        case .searchOnline: search(isLocal: false, now, &outputs)
        case .end(_, let outcome): end(outcome, now, &outputs)
        case .deliver: deliver(now, &outputs)
        case .abandon: running = nil
        case .manualQueued: outputs.append(status(.manualQueued, now))
        case .noMatchModeEntered(let delay):
            outputs.append(status(.noMatchModeEntered, now) { $0.value = Double(delay) })
        case .noMatchDelayChanged(let delay):
            outputs.append(status(.noMatchDelayChanged, now) { $0.value = Double(delay) })
        case .noMatchModeLeft: outputs.append(status(.noMatchModeLeft, now))
        case .scheduled(let time):
            outputs.append(
                status(.nextQueryTime, now) { event in
                    event.value = time.map { ($0 - now).seconds } ?? -1
                    if time == nil { event.text = "none" }
                }
            )
        }
    }

    private mutating func beginFingerprint(_ lookup: QueryScheduler.Lookup, lookback: Double) {
        let wanted = LookupLength.length(scheduler.properties.optimization, in: surroundings).seconds
        let past = audio.last(min(lookback, steady, wanted))
        let began = end - past.reduce(0) { $0 + $1.duration.seconds }
        var maker = QueryBuilder(wanted: wanted)
        // What was taken into the rolling audio has a format that can be used.
        for piece in past { try? maker.append(piece) }
        running = Running(lookup: lookup, maker: maker, began: began)
    }

    private mutating func search(isLocal: Bool, _ now: MediaTime, _ outputs: inout [Output]) {
        guard let running, let signature = running.signature else { return }
        self.running?.searchedAt = now
        outputs.append(status(isLocal ? .localLookupStarted : .onlineLookupStarted, now))
        let id = running.lookup.id
        outputs.append(isLocal ? .searchLocal(lookup: id, signature) : .searchOnline(lookup: id, signature))
    }

    private mutating func end(_ outcome: QueryScheduler.Outcome, _ now: MediaTime, _ outputs: inout [Output]) {
        switch outcome {
        case .match:
            let matches = running?.matches ?? []
            outputs.append(status(.match, now) { $0.value = Double(matches.count) })
            if let first = matches.first {
                if first.content != lastMatch?.content {
                    let change = StatusEvent.Change(old: lastMatch, new: first)
                    outputs.append(status(.contentChanged, now) { $0.change = change })
                }
                lastMatch = first
                contentEnds = first.end
            }
        case .countedMiss(let count):
            contentEnds = nil
            outputs.append(status(.noMatch, now) { $0.value = Double(count) })
        case .uncountedMiss:
            // Only the store was asked, which need not have what the service found.
            outputs.append(status(.noMatch, now) { $0.value = Double(scheduler.missesInARow) })
        case .error: break
        }
    }

    private mutating func deliver(_ now: MediaTime, _ outputs: inout [Output]) {
        guard let running else { return }
        self.running = nil
        let instant = captured.instant(of: running.began)
        // A fingerprint that could not be made was no query: nobody waits for its result.
        guard running.signature != nil else { return }
        let result = MonitorResult(
            lookup: running.lookup.id,
            matches: running.matches,
            trigger: running.lookup.trigger,
            kind: running.lookup.kind,
            source: running.source,
            capturedAt: instant,
            capturedDate: wallClock().addingTimeInterval(-(now - instant).seconds),
            error: running.error
        )
        outputs.append(.result(result))
    }

    // MARK: - Words

    private func status(
        _ kind: StatusEvent.Kind,
        _ now: MediaTime,
        _ fill: (inout StatusEvent) -> Void = { _ in }
    ) -> Output {
        var event = StatusEvent(kind, at: now, wallClock())
        event.lookup = running?.lookup.id
        fill(&event)
        return .status(event)
    }

    func failure(_ error: EarshotError, _ now: MediaTime) -> Output {
        status(.error, now) {
            ($0.value, $0.text, $0.error) = (Double(error.code.number), error.message, error)
        }
    }

    func debug(_ text: String, _ now: MediaTime) -> Output { status(.debug, now) { $0.text = text } }
}

extension StatusEvent.Kind {
    /// The event of a kind of audio; silence has its own.
    init?(_ kind: AudioKind) {
        switch kind {
        case .silence: return nil
        case .music: self = .music
        case .speech: self = .speech
        case .noise: self = .noise
        }
    }
}
