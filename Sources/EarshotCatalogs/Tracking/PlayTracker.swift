public import EarshotCore
import EarshotSignatures
import Foundation

/// Detects the plays of a stream, with their start and end, for as long as the stream runs.
///
/// ```swift
/// var follower = try PlayTracker(catalog)
/// for try await block in stream {
///     for change in try follower.append(block.buffer) { log(change) }
/// }
/// log(follower.finish())
/// ```
///
/// It corresponds to ``Catalog/plays(in:isThorough:progress:)`` for a recording without an end. The last seconds are
/// searched every few seconds, unless known plays explain them. The last minutes are analyzed together from time to
/// time, so starts and ends are as exact as in a recording. A play is reported about 10 s after its start. Its end is
/// reported about 25 s late, because a song may continue after an announcement. Memory use is bounded.
///
/// It is a value without a clock: times come from the audio and the gaps that it is given.
public struct PlayTracker: Sendable {
    /// The settings of the tracker.
    public let options: Options

    var targets: [MaskedSegment]
    let parameters = MatchingParameters()
    private var stream: SignatureWindow
    /// The audio before the last break, while it lies in the window.
    var past: Past?
    private var evaluatedAt = 0
    private var wantsEvaluation = false
    /// The candidates so far, in steps of the stream.
    var seeds: [PlayTracer.Seed] = []
    var open: [ActivePlay] = []
    /// Ended plays that still lie in the window, where they are found again and again.
    var closed: [ActivePlay] = []
    var count = 0
    private var strides = 0
    /// `true` if the next search that finds nothing at once scans all references instead of trying other speeds.
    private var isScanNext = true

    /// The excess over chance from which the landmarks on a known alignment explain an interval.
    private static let explainedExcess = 0.12
    /// The largest number of consecutive strides without a search because known plays explain them.
    private static let longestRest = 3
    /// The longest break across which earlier audio is analyzed together with later audio: 30 s.
    private static let shortBreak = 30 * Landmark.stepsPerSecond
    /// The time for which an uncertain candidate is traced, in steps: 35 s.
    static let seedLife = 35 * Landmark.stepsPerSecond
    /// The time without detection after which a play has ended, in steps: a little more than the longest pause of a
    /// play in a recording.
    private static let endDelay = 22 * Landmark.stepsPerSecond

    /// Creates a tracker for the references of a catalog.
    ///
    /// - Throws: `catalogInvalid` if the catalog is damaged.
    public init(_ catalog: Catalog, options: Options = Options()) throws(EarshotError) {
        targets = try catalog.matchTargets()
        self.options = options
        stream = SignatureWindow(stride: Self.time(Self.steps(options.stride)))
    }

    /// The duration of the stream so far, including gaps.
    public var time: MediaTime { Self.time(end) }

    /// The plays in progress.
    public var plays: [TrackedPlay] { open.filter { !$0.isSuspended }.map(\.play) }

    /// Returns the time until which quick checks have detected a running play. It is later than the end of its
    /// `queryRange`, which is determined by an analysis of the window. `nil` if the play has ended or is interrupted.
    ///
    /// - Parameter number: The play's number.
    public func heard(_ number: Int) -> MediaTime? {
        open.first { $0.play.number == number && !$0.isSuspended }.map { Self.time($0.heardAt) }
    }

    /// The steps of the stream before the last break.
    var base: Int { Self.steps(stream.origin) }
    /// The steps of the stream, including gaps.
    var end: Int { Self.steps(stream.end) }

    static func steps(_ time: MediaTime) -> Int {
        Int(time.converted(toTimescale: Int32(Landmark.stepsPerSecond), rounding: .towardNegativeInfinity).value)
    }

    static func time(_ steps: Int) -> MediaTime {
        MediaTime(value: Int64(steps), timescale: Int32(Landmark.stepsPerSecond))
    }

    // MARK: - The stream

    /// Processes the next audio.
    ///
    /// - Returns: The changes, in order.
    /// - Throws: `audioFormatInvalid` if the format is not supported; `catalogInvalid` if a reference that is heard is
    ///   damaged.
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

    /// Processes a gap in the stream. Plays may continue after the gap.
    ///
    /// - Parameter gap: The duration of the gap.
    /// - Returns: The changes in the audio before the gap.
    /// - Throws: `catalogInvalid` if a reference that is heard is damaged.
    public mutating func skip(_ gap: MediaTime) throws(EarshotError) -> [Change] {
        let changes = try evaluate()
        breakOff(max(0, Self.steps(gap)))
        return changes + close(isEnd: false)
    }

    /// Ends the stream.
    ///
    /// - Returns: The changes, with the end of every running play.
    /// - Throws: `catalogInvalid` if a reference that is heard is damaged.
    public mutating func finish() throws(EarshotError) -> [Change] {
        let changes = try evaluate()
        return changes + close(isEnd: true)
    }

    /// Continues with another catalog. Plays of references in both catalogs continue.
    ///
    /// - Throws: `catalogInvalid` if the new catalog is damaged; the old one is then kept.
    public mutating func replace(_ catalog: Catalog) throws(EarshotError) {
        targets = try catalog.matchTargets()
        seeds = []
        wantsEvaluation = true
    }

    /// Continues the plays of an earlier run. A play that is detected again within ``Options/patience`` keeps its
    /// number; otherwise it ends where it was.
    ///
    /// - Parameter plays: The plays, with ranges on this stream's timeline, mostly before zero.
    public mutating func resume(_ plays: [TrackedPlay]) {
        for play in plays {
            count = max(count, play.number)
            open.append(ActivePlay(resuming: play))
        }
    }

    /// Starts a new analysis after a break of a number of steps.
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

    /// Returns the signature of the window, together with the audio before a short break.
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
        // All data that may belong to a play is analyzed before the play ends.
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

    /// Returns `true` if known plays explain the end of a slice. Updates which of them are still heard.
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
                // It has ended, or is talked over. An analysis of the window decides which.
                wantsEvaluation = true
            }
            open[index].wasHeard = isHeard
        }
        return isExplained
    }

    /// Searches for a slice and collects its candidates.
    ///
    /// - Parameter isExplained: `true` if known plays explain its end.
    mutating func search(_ slice: Signature, _ stretch: Range<Int>, isExplained: Bool) {
        guard !slice.isEmpty, slice.duration >= MediaTime(value: 1, timescale: 1) else { return }
        let candidates = Matcher(targets, parameters: turn()).search(slice)
        // References that are heard on the alignment of a play. Other alignments of theirs that fit less well are
        // repeats.
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

    /// Returns the parameters of the next search. Scanning all references and trying other speeds take the longest. If
    /// every instant lies in two slices, one of them is scanned and the other tried at other speeds.
    private mutating func turn() -> MatchingParameters {
        var parameters = parameters
        guard Self.steps(options.slice) >= 2 * Self.steps(options.stride) else { return parameters }
        (parameters.scans, parameters.escalates) = (isScanNext, !isScanNext)
        isScanNext.toggle()
        return parameters
    }

    /// Returns `true` if a candidate lies on an alignment that was analyzed before and gave no play.
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

    /// Merges the plays found in the window with the known plays.
    private mutating func merge(_ found: [Play], within window: Range<Int>) -> [Change] {
        var changes: [Change] = []
        var seen: Set<Int> = []
        // `true` if a play continues after a break as another play of the window. The audio before and after the break
        // is then not analyzed together again.
        var isMoved = false
        defer { if isMoved { past = nil } }
        closed.removeAll { $0.end < window.lowerBound }
        let own = found.filter { $0.duplicateOf == nil }
        for play in own {
            let twins = found.filter { $0.duplicateOf == play.id && $0.queryRange.overlaps(play.queryRange) }
            let part = ActivePlay.Part(play, twins: twins, from: window.lowerBound)
            // A play that was reported as ended is not reported again.
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
                    // It lies before the break. This does not tell whether it continues after the break.
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
            // The whole play lies in the window, and something else explains it there.
            guard open[index].begin >= window.lowerBound else { continue }
            changes.append(.withdrawn(open.remove(at: index).play))
        }
        return changes
    }

    /// Returns `true` if a play was not detected for so long that it has ended.
    private func isSilent(_ play: ActivePlay) -> Bool {
        end - play.heardAt > (play.isSuspended ? Self.steps(options.patience) : Self.endDelay)
    }

    /// Ends the plays that were not heard for long, or have reached the end of their reference.
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
