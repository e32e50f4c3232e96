import EarshotCore
import EarshotDSP
import EarshotSignatures

/// Traces a reference through a recording with the recording's spectrogram. This finds music that is too quiet to have
/// landmarks of its own.
struct ContrastTracer {
    /// The evidence of the spectrogram for an interval of a recording.
    struct Evidence: Sendable {
        /// The distance of the contrast map from chance at the reference's landmarks, in standard deviations.
        var deviations: Double
        /// The distance of the spectrogram from chance at the reference's bits, in standard deviations.
        var bits: Double
        /// The score of both, in nats.
        var score = 0.0
    }

    /// Returns the score of an interval for a reference, in nats, on the scale of the matcher's score.
    ///
    /// The landmarks of quiet music are drowned, so they count as in a query with hardly one left.
    ///
    /// - Parameter rival: The distance from chance of another reference over the same interval, in standard deviations.
    static func score(_ evidence: Evidence, rival: Double) -> Double {
        let bits = max(0, evidence.bits)
        return min(bits * bits / 2, 60) + 2 * min(evidence.deviations - max(2, rival), 8) - 12
    }

    /// The least length to either side of the core that is examined in a round, in steps: 10 s.
    private static let firstReach = 10 * Landmark.stepsPerSecond
    /// The most rounds in which a line is fitted and its interval extended.
    private static let roundLimit = 12
    /// Offsets and pitches that are tried about a line, as for a query.
    private static let rowReach = 3
    private static let binReach = 1
    /// The longest interval that a line is fitted to: two minutes.
    private static let mostFitted = 120 * Landmark.stepsPerSecond
    /// The length of a part in which bits are read: 10 s.
    private static let bitSteps = 10 * Landmark.stepsPerSecond

    private let recording: Signature
    private let targets: [MaskedSegment]
    private let length: Int
    private var strip: ContrastStrip

    /// Creates a tracer.
    ///
    /// - Returns: `nil` if the recording has no spectrogram, or no segment has bits.
    init?(_ recording: Signature, targets: [MaskedSegment], length: Int) {
        guard let levels = recording.levels, targets.contains(where: \.segment.hasBits) else { return nil }
        self.recording = recording
        self.targets = targets
        self.length = length
        strip = ContrastStrip(levels)
    }

    /// Traces a seed to both sides.
    ///
    /// - Returns: `nil` if the map around the seed does not confirm it.
    mutating func trace(_ seed: PlayTracer.Seed) -> PlayTracer.Trace? {
        let segment = targets[seed.segment].segment
        var alignment = seed.alignment
        var core = seed.stretch
        var trace: PlayTracer.Trace?
        var looked = core
        for _ in 0..<Self.roundLimit {
            alignment = fitted(alignment, over: core, segment, seed.reference)
            guard SearchRange.contains(alignment) else { break }
            let reach = max(Self.firstReach, core.count)
            let region = max(0, core.lowerBound - reach)..<min(length, core.upperBound + reach)
            guard let profile = ContrastProfile(strip.part(rows(region)), segment, seed.reference, alignment)
            else { break }
            let gains = profile.gains(excess: profile.excess(core))
            guard let joined = PlayTracer.joined(profile.stretches(gains), around: core) else { break }
            let before = core
            core = joined.clamped(to: 0..<length)
            trace = PlayTracer.Trace(
                segment: seed.segment,
                reference: seed.reference,
                alignment: alignment,
                stretch: core,
                tally: AlignmentProfile.Tally(),
                seedScore: seed.score,
                evidence: profile.total(gains, over: core),
                faint: Evidence(deviations: profile.deviations(core), bits: 0)
            )
            let isSettled = abs(core.lowerBound - before.lowerBound) + abs(core.upperBound - before.upperBound) < 50
            if isSettled, looked == region || !PlayTracer.touches(core, region, length) { break }
            looked = region
        }
        return trace
    }

    /// Returns the distance of the map from chance along the line of a play, over an interval of the recording, in
    /// standard deviations.
    mutating func deviations(of trace: PlayTracer.Trace, over stretch: Range<Int>) -> Double {
        let reach = 3 * Landmark.stepsPerSecond
        let region = max(0, stretch.lowerBound - reach)..<min(length, stretch.upperBound + reach)
        let segment = targets[trace.segment].segment
        return ContrastProfile(strip.part(rows(region)), segment, trace.reference, trace.alignment)?
            .deviations(stretch) ?? 0
    }

    private func rows(_ stretch: Range<Int>) -> Range<Int> {
        let first = max(0, (stretch.lowerBound - ContrastMap.firstStep) / ContrastMap.stepsPerRow)
        return first..<max(first + 1, (stretch.upperBound - ContrastMap.firstStep) / ContrastMap.stepsPerRow)
    }

    /// Returns the line with the highest mean within ±24 ms, ±1 bin and a speed that moves the ends by up to 32 ms.
    private mutating func fitted(
        _ alignment: Alignment,
        over stretch: Range<Int>,
        _ segment: Segment,
        _ reference: Int
    ) -> Alignment {
        let middle = (stretch.lowerBound + stretch.upperBound) / 2
        let half = min(stretch.count, Self.mostFitted) / 2
        let part = strip.part(rows(max(0, middle - half)..<middle + half))
        let margin = 64
        let begin = Int(alignment.position(at: Double(middle - half))) - margin
        let end = Int(alignment.position(at: Double(middle + half))) + margin
        let window = ReferenceWindow(segment, reference: reference, steps: begin..<max(begin, end))
        let (rowCells, binCells) = (2 * Self.rowReach + 1, 2 * Self.binReach + 1)
        let bins = FrequencyAxis.binCount
        var best = (mean: -Double.infinity, alignment: alignment)
        for step in -2...2 {
            var tried = alignment
            tried.speed += Double(step * 8) / Double(max(1, half))
            tried.offset += (alignment.speed - tried.speed) * Double(middle)
            var sums = [Int](repeating: 0, count: rowCells * binCells)
            var count = 0
            part.values.withUnsafeBufferPointer { values in
                ContrastProfile.forEachCell(
                    part,
                    window,
                    tried,
                    rowReach: Self.rowReach,
                    binReach: Self.binReach
                ) { row, bin in
                    count += 1
                    var cell = (row - Self.rowReach) * bins + bin - Self.binReach
                    for row in 0..<rowCells {
                        for side in 0..<binCells { sums[row * binCells + side] += Int(values[cell + side]) }
                        cell += bins
                    }
                }
            }
            guard count > 0, let highest = sums.indices.max(by: { sums[$0] < sums[$1] }) else { continue }
            let mean = Double(sums[highest]) / Double(count)
            guard mean > best.mean else { continue }
            tried.pitch += Double((highest % binCells - Self.binReach) * Landmark.stepsPerBin)
            tried.offset -=
                Double((highest / binCells - Self.rowReach) * ContrastMap.stepsPerRow) * tried.speed
            best = (mean, tried)
        }
        return best.alignment
    }

    /// Returns the distance of a play from chance at the reference's bits, in standard deviations. The bits are read in
    /// parts of 10 s.
    func bits(of trace: PlayTracer.Trace) -> Double {
        let segment = targets[trace.segment].segment
        var (sum, rows) = (0.0, 0.0)
        for start in stride(from: trace.stretch.lowerBound, to: trace.stretch.upperBound, by: Self.bitSteps) {
            let part = recording.slice(
                from: PlayFinder.time(Double(start)),
                duration: PlayFinder.time(Double(min(Self.bitSteps, trace.stretch.upperBound - start)))
            ).signature
            guard var reader = DenseBitReader(part, targets: targets),
                let reached = reader.deviations(of: segment, trace.reference, trace.alignment.seen(from: Double(start)))
            else { continue }
            let count = Double(part.duration.seconds)
            sum += reached * count.squareRoot()
            rows += count
        }
        return rows > 0 ? sum / rows.squareRoot() : 0
    }
}
