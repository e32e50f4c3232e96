public import EarshotCore
import EarshotSignatures
import Foundation

/// Finds what a stream plays, from when to when, for as long as it runs.
///
/// ```swift
/// var follower = try PlayTracker(catalog)
/// for try await block in stream {
///     for change in try follower.append(block.buffer) { log(change) }
/// }
/// log(follower.finish())
/// ```
///
/// It is ``Catalog/plays(in:isThorough:progress:)`` for a recording that does not end. The last seconds are searched
/// every few seconds, unless known plays explain them; the last minutes are analyzed together now and then, so
/// beginnings and ends are as exact as there. A play is reported about ten seconds after its beginning, and its end
/// about twenty-five seconds late, because a song may continue after an announcement. Memory does not grow.
///
/// A value without a clock: times come from the audio and the gaps that it is given.
public struct PlayTracker: Sendable {
    /// The settings of the tracker.
    public let options: Options

    var targets: [MaskedSegment]
    let parameters = MatchingParameters()
    private var stream: SignatureWindow
    /// The audio before the last break, while it is in the window.
    var past: Past?
    private var evaluatedAt = 0
    private var wantsEvaluation = false
    /// The findings, in steps of the stream.
    var seeds: [PlayTracer.Seed] = []
    var open: [ActivePlay] = []
    /// Plays that are over and still lie in the window, where they are found again and again.
    var closed: [ActivePlay] = []
    var count = 0
    private var strides = 0
    /// `true` if the next search without an immediate result compares the slice with all references, instead of trying
    /// other speeds.
    private var isScanNext = true

    /// Above this part more than chance, landmarks on a known line explain a stretch.
    private static let explainedExcess = 0.12
    /// The number of strides in a row for which known plays make a search unnecessary.
    private static let longestRest = 3
    /// The longest break across which earlier audio is analyzed together with later audio: 30 s.
    private static let shortBreak = 30 * Landmark.stepsPerSecond
    /// The time for which an uncertain finding is followed: 35 s.
    static let seedLife = 35 * Landmark.stepsPerSecond
    /// The time without detection after which a play is over: a little more than the longest pause of a play in a
    /// recording.
    private static let endDelay = 22 * Landmark.stepsPerSecond

    /// Follows a stream for the references of a catalog.
    ///
    /// - Throws: `catalogInvalid` when the catalog is damaged.
    public init(_ catalog: Catalog, options: Options = Options()) throws(EarshotError) {
        targets = try catalog.matchTargets()
        self.options = options
        stream = SignatureWindow(stride: Self.time(Self.steps(options.stride)))
    }

    /// The duration of the stream so far, with gaps.
    public var time: MediaTime { Self.time(end) }

    /// The plays in progress.
    public var plays: [TrackedPlay] { open.filter { !$0.isSuspended }.map(\.play) }

    /// The time until which a running play was detected by quick checks: later than the end of its `range`, which only
    /// an analysis of the window finds; `nil` for a play that has ended or is interrupted.
    ///
    /// - Parameter number: The play's number.
    public func heard(_ number: Int) -> MediaTime? {
        open.first { $0.play.number == number && !$0.isSuspended }.map { Self.time($0.heardAt) }
    }

    /// Steps of the stream before the last break.
    var base: Int { Self.steps(stream.origin) }
    /// Steps of the stream, gaps included.
    var end: Int { Self.steps(stream.end) }

    static func steps(_ time: MediaTime) -> Int {
        Int(time.converted(toTimescale: Int32(Landmark.stepsPerSecond), rounding: .towardNegativeInfinity).value)
    }

    static func time(_ steps: Int) -> MediaTime {
        MediaTime(value: Int64(steps), timescale: Int32(Landmark.stepsPerSecond))
    }

    // MARK: - The stream

    /// Takes the next audio.
    ///
    /// - Returns: The changes, in order.
    /// - Throws: `audioFormatInvalid`; `catalogInvalid` when a reference that is heard is damaged.
    public mutating func append(_ buffer: AudioBuffer) throws(EarshotError) -> [Change] {
        var changes: [Change] = []
        var first = 0
        repeat {
            let part = stream.part(of: buffer, from: first)
            try stream.append(part)
            first += part.frameCount
            if stream.completesStride() { changes += try advance() }
        } while first < buffer.frameCount
        return changes
    }

    /// Handles a gap in the stream. Plays may continue after the gap.
    ///
    /// - Parameter gap: The duration of the gap.
    /// - Returns: The changes in the audio before the gap.
    public mutating func skip(_ gap: MediaTime) throws(EarshotError) -> [Change] {
        let changes = try evaluate()
        breakOff(max(0, Self.steps(gap)))
        return changes + close(isEnd: false)
    }

    /// The stream is over.
    ///
    /// - Returns: The changes; every running play has ended.
    public mutating func finish() throws(EarshotError) -> [Change] {
        let changes = try evaluate()
        return changes + close(isEnd: true)
    }

    /// Continues with another catalog. Plays of references in both catalogs continue.
    ///
    /// - Throws: `catalogInvalid` when it is damaged; the old one then stays.
    public mutating func replace(_ catalog: Catalog) throws(EarshotError) {
        targets = try catalog.matchTargets()
        seeds = []
        wantsEvaluation = true
    }

    /// Continues plays of an earlier run. A play that is detected again within ``Options/patience`` continues under its
    /// number; otherwise it ends where it was.
    ///
    /// - Parameter plays: Their ranges are on this stream's timeline, so mostly before zero.
    public mutating func resume(_ plays: [TrackedPlay]) {
        for play in plays {
            count = max(count, play.number)
            open.append(ActivePlay(resuming: play))
        }
    }

    /// Goes on with a new analysis behind a break of some steps.
    private mutating func breakOff(_ steps: Int) {
        for index in open.indices { open[index].isSuspended = true }
        past = steps <= Self.shortBreak ? recent() : nil
        restart(at: end + steps)
        if past == nil { (seeds, closed) = ([], []) }
    }

    mutating func restart(at step: Int) {
        stream.restart(at: Self.time(step))
        (evaluatedAt, wantsEvaluation) = (step, false)
    }

    /// The contents of the window, with the audio before a short break.
    func recent() -> Past {
        let tail = stream.tail(options.window)
        let start = Self.steps(tail.start)
        let own = Past(signature: tail.signature, start: start, end: end)
        let from = max(past?.start ?? end, end - Self.steps(options.window))
        guard let past, start == base, past.end > from else { return own }
        let earlier = past.signature.landmarks.filter { Int($0.time) + past.start >= from }
        var landmarks: [Landmark] = []
        for (part, begin) in [(earlier, past.start), (tail.signature.landmarks, start)] {
            landmarks += part.map { landmark in
                var moved = landmark
                moved.time = UInt32(clamping: Int(landmark.time) + begin - from)
                return moved
            }
        }
        let signature = Signature(
            configuration: tail.signature.configuration,
            duration: Self.time(end - from),
            landmarks: landmarks.sorted()
        )
        return Past(signature: signature, start: from, end: end)
    }

    // MARK: - Searching

    private mutating func advance() throws(EarshotError) -> [Change] {
        let slice = stream.tail(options.slice)
        let begin = Self.steps(slice.start)
        let stretch = begin..<begin + Self.steps(slice.signature.duration)
        strides += 1
        let explained = explain(slice.signature, stretch)
        if !explained || strides % (Self.longestRest + 1) == 0 {
            search(slice.signature, stretch, isExplained: explained)
        }
        let old = end - Self.seedLife
        seeds.removeAll { $0.stretch.upperBound < old }
        var changes: [Change] = []
        // Before a play is given up, all that may belong to it is looked at.
        let isDue = open.contains { isSilent($0) }
        if wantsEvaluation || isDue || end - evaluatedAt >= Self.steps(options.interval) { changes += try evaluate() }
        changes += close(isEnd: false)
        if stream.isExpired {
            breakOff(0)
        } else {
            stream.forget(before: stream.end - options.window)
        }
        return changes
    }

    /// Returns `true` if plays that are known explain the end of a slice. Notices which of them are heard no more.
    private mutating func explain(_ slice: Signature, _ stretch: Range<Int>) -> Bool {
        let recent = max(stretch.lowerBound, stretch.upperBound - Self.steps(options.stride))..<stretch.upperBound
        let tracer = PlayTracer(
            landmarks: slice.thinned(to: parameters.queryDensity).landmarks,
            length: stretch.count
        )
        var isExplained = false
        for index in open.indices where !open[index].isSuspended {
            guard let (segment, reference) = targets.location(of: open[index].play.id) else { continue }
            let local = open[index].alignment.seen(from: Double(stretch.lowerBound))
            let region = recent.lowerBound - stretch.lowerBound..<recent.upperBound - stretch.lowerBound
            let tally = tracer.profile(region, local, targets[segment].segment, reference).tally(region)
            let isHeard = tally.share - tally.chance >= Self.explainedExcess
            if isHeard {
                isExplained = true
                open[index].heardAt = stretch.upperBound
            } else if open[index].wasHeard {
                // It has ended, or is talked over: a look at the whole says which.
                wantsEvaluation = true
            }
            open[index].wasHeard = isHeard
        }
        return isExplained
    }

    /// Searches for a slice.
    ///
    /// - Parameter isExplained: `true` if known plays explain its end.
    mutating func search(_ slice: Signature, _ stretch: Range<Int>, isExplained: Bool) {
        guard !slice.isEmpty, slice.duration >= MediaTime(value: 1, timescale: 1) else { return }
        let candidates = Matcher(targets, parameters: turn()).search(slice)
        // References that are heard on the line of a play: lines of theirs that fit less well are repeats.
        var heard: [PlayTracer.Seed] = []
        for seed in PlayFinder.seeds(candidates, in: stretch, parameters) {
            if heard.contains(where: { $0.segment == seed.segment && $0.reference == seed.reference }) { continue }
            let isKnown = (open + closed).contains { $0.isOn(seed, in: targets) }
            if isKnown { heard.append(seed) }
            if seed.score >= parameters.threshold, !isKnown, !(isExplained && wasLookedAt(seed)) {
                wantsEvaluation = true
            }
            seeds.append(seed)
        }
    }

    /// The parameters of the next search. Scanning all references and trying other speeds take longest. Where every instant lies in two
    /// slices, one of them is scanned and the other tried.
    private mutating func turn() -> MatchingParameters {
        var parameters = parameters
        guard Self.steps(options.slice) >= 2 * Self.steps(options.stride) else { return parameters }
        (parameters.scans, parameters.escalates) = (isScanNext, !isScanNext)
        isScanNext.toggle()
        return parameters
    }

    /// Returns `true` if a finding is on a line that was looked at before, and came to nothing.
    private func wasLookedAt(_ seed: PlayTracer.Seed) -> Bool {
        seeds.contains { $0.wasLookedAt && $0.score >= parameters.threshold && $0.isOnLine(of: seed) }
    }

    // MARK: - Looking at the whole

    private mutating func evaluate() throws(EarshotError) -> [Change] {
        (evaluatedAt, wantsEvaluation) = (end, false)
        let tail = recent()
        let start = tail.start
        if start >= base { past = nil }
        guard !tail.signature.isEmpty, !seeds.isEmpty || !open.isEmpty else { return [] }
        var finder = PlayFinder(tail.signature, targets: targets, parameters: parameters)
        let window = start..<end
        let lines = open.compactMap { $0.seed(within: window, in: targets) }
        for seed in seeds + lines { finder.add(seed.shifted(by: start)) }
        let found = try finder.plays { _ in }
        for index in seeds.indices {
            seeds[index].wasLookedAt = true
            if let followed = finder.followed[index] { seeds[index].keep(followed.shifted(by: -start), within: window) }
        }
        return merge(found, within: window)
    }

    /// Brings what the window shows together with what is known.
    private mutating func merge(_ found: [Play], within window: Range<Int>) -> [Change] {
        var changes: [Change] = []
        var seen: Set<Int> = []
        // Whether something goes on behind a break as another play of the window: then the two are not looked at together
        // again.
        var isMoved = false
        defer { if isMoved { past = nil } }
        closed.removeAll { $0.end < window.lowerBound }
        let own = found.filter { $0.duplicateOf == nil }
        for play in own {
            let twins = found.filter { $0.duplicateOf == play.id && $0.queryRange.overlaps(play.queryRange) }
            let part = ActivePlay.Part(play, twins: twins, from: window.lowerBound)
            // What was said to be over is not said again.
            guard !closed.contains(where: { $0.continues(part) || $0.overlaps(part) }) else { continue }
            let known =
                open.firstIndex { !seen.contains($0.play.number) && $0.continues(part) }
                ?? open.firstIndex { !seen.contains($0.play.number) && $0.overlaps(part) }
            if let index = known {
                let before = open[index].play
                if !open[index].isSuspended {
                    open[index].take(part, window: window)
                    seen.insert(before.number)
                } else if part.end <= base + Landmark.stepsPerSecond {
                    // It lies before the break: whether it goes on behind it is another question.
                    open[index].take(part, window: window)
                } else if part.begin < open[index].end {
                    open[index].rejoin(part, window: window, lost: base - (past?.end ?? base))
                    seen.insert(before.number)
                } else {
                    open[index].resume(part)
                    seen.insert(before.number)
                    isMoved = true
                }
                if open[index].play != before { changes.append(.updated(open[index].play)) }
            } else if let index = open.firstIndex(where: {
                !seen.contains($0.play.number) && $0.resumes(part, patience: Self.steps(options.patience))
            }) {
                open[index].resume(part)
                seen.insert(open[index].play.number)
                isMoved = true
                changes.append(.updated(open[index].play))
            } else {
                count += 1
                let new = ActivePlay(part, number: count)
                seen.insert(count)
                open.append(new)
                changes.append(.began(new.play))
            }
        }
        for index in open.indices.reversed() where !open[index].isSuspended && !seen.contains(open[index].play.number) {
            // All of it lies in the window, and is explained by something else there.
            guard open[index].begin >= window.lowerBound else { continue }
            changes.append(.withdrawn(open.remove(at: index).play))
        }
        return changes
    }

    /// Returns `true` if a play has been undetected long enough to be over.
    private func isSilent(_ play: ActivePlay) -> Bool {
        end - play.heardAt > (play.isSuspended ? Self.steps(options.patience) : Self.endDelay)
    }

    /// Ends the plays that have not been heard for long, or have reached their reference's end.
    private mutating func close(isEnd: Bool) -> [Change] {
        var changes: [Change] = []
        for index in open.indices.reversed() {
            let play = open[index]
            let rest = end - play.heardAt
            let isOver = isSilent(play) || !play.isSuspended && play.hasReachedEnd && rest > 3 * Landmark.stepsPerSecond
            guard isEnd || isOver else { continue }
            closed.append(open.remove(at: index))
            changes.append(.ended(play.play))
        }
        return changes.reversed()
    }
}
