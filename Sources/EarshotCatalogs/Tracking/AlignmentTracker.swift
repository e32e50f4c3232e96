package import EarshotCore
package import EarshotSignatures
import Foundation

/// Compares a stream with references that were found in it, without the index.
///
/// For a known reference only few positions are possible: near its alignment, or elsewhere in it after a seek. So there
/// is less chance to exceed than in a search of the whole catalog, and one or two seconds of audio are enough.
package struct AlignmentTracker: Sendable {
    /// An interval of a stream.
    package struct Stretch: Sendable {
        let landmarks: [Landmark]
        let verifier: Verifier
        /// The start on the stream's timeline, in steps.
        let start: Double
        /// The duration, in steps.
        let length: Double

        /// Prepares an interval for comparison.
        ///
        /// - Parameters:
        ///   - signature: The signature of the interval.
        ///   - start: The start on the stream's timeline, in seconds.
        package init(_ signature: Signature, from start: Double) {
            landmarks = signature.thinned(to: MatchingParameters().queryDensity).landmarks
            verifier = Verifier(landmarks)
            self.start = start * Double(Landmark.stepsPerSecond)
            length = signature.duration.seconds * Double(Landmark.stepsPerSecond)
        }

        /// `true` if the interval has too few landmarks to compare.
        package var isSparse: Bool { landmarks.count < Verifier.leastInside }
    }

    /// The distance to either side within which a long reference is searched for another position: one hour.
    private static let reach = 3_600 * Landmark.stepsPerSecond
    /// The evidence that the best of about 200 positions near an alignment reaches by chance, in nats.
    private static let expectedChance = 5.3
    /// The smallest distance of another position, in steps: 30 ms. A gap of 0.1 s in the audio leads to another
    /// position.
    private static let lineWidth = 15.0
    /// The number of other positions that are scored.
    private static let placeCount = 6

    private let targets: [MaskedSegment]
    private let parameters = MatchingParameters()

    /// Creates a tracker.
    ///
    /// - Throws: `catalogInvalid` or `internalError` if added references cannot be indexed.
    package init(_ catalog: Catalog) throws(EarshotError) {
        targets = try catalog.matchTargets()
    }

    /// Returns the alignment of a match on the stream's timeline.
    ///
    /// - Parameters:
    ///   - match: A reference that was found in a query.
    ///   - start: The start of the query on the stream's timeline, in seconds.
    /// - Returns: `nil` if the reference is not in this catalog.
    package func line(of match: ReferenceMatch, from start: Double) -> TrackedAlignment? {
        guard let (index, number) = targets.location(of: match.id) else { return nil }
        let segment = targets[index].segment
        let second = Double(Landmark.stepsPerSecond)
        let alignment = Alignment(
            offset: (match.offset.seconds - (1 + match.speedSkew) * start) * second,
            speedSkew: match.speedSkew,
            pitchSkew: match.pitchSkew
        )
        let middle = Int((match.offset.seconds * second).rounded())
        let near = middle - Verifier.surroundings..<middle + Verifier.surroundings
        return TrackedAlignment(
            id: match.id,
            items: match.items,
            referenceDuration: match.referenceDuration,
            segment: index,
            reference: number,
            alignment: alignment,
            surroundings: ReferenceWindow(segment, reference: number, steps: middle - Self.reach..<middle + Self.reach),
            density: LandmarkDensity(ReferenceWindow(segment, reference: number, steps: near))
        )
    }

    /// Returns the same alignment for this catalog, if it was found in another one.
    ///
    /// - Returns: `nil` if the reference is not in this catalog.
    package func renewed(_ line: TrackedAlignment) -> TrackedAlignment? {
        guard let (index, number) = targets.location(of: line.id) else { return nil }
        let segment = targets[index].segment
        guard let items = segment.items(number) else { return nil }
        return TrackedAlignment(
            id: line.id,
            items: items,
            referenceDuration: segment.records[number].duration,
            segment: index,
            reference: number,
            alignment: line.alignment,
            surroundings: ReferenceWindow(segment, reference: number, steps: line.surroundings.steps),
            density: line.density
        )
    }

    /// Computes the evidence of an interval on an alignment.
    ///
    /// - Parameter refines: `true` to refine offset, speed and pitch of the alignment by the interval.
    package func fit(_ stretch: Stretch, on line: TrackedAlignment, refines: Bool) -> AlignmentFit {
        var best = weigh(stretch, on: line)
        if refines, !stretch.isSparse {
            let local = local(line.alignment, stretch)
            let window = window(line, local, stretch, margin: 2 * Landmark.stepsPerSecond)
            let followed = stretch.verifier.follow(local, on: window)
            if SearchRange.contains(followed) {
                let further = weigh(stretch, on: line.moved(to: global(followed, stretch)))
                if further.evidence >= best.evidence { best = further }
            }
        }
        return best
    }

    /// Returns the best other position in the same reference, at the speed and pitch of the alignment; `nil` if there
    /// is none.
    package func elsewhere(_ stretch: Stretch, than line: TrackedAlignment) -> AlignmentFit? {
        guard !stretch.isSparse else { return nil }
        let local = local(line.alignment, stretch)
        let offsets = stretch.verifier.offsets(like: local, on: line.surroundings, limit: Self.placeCount)
        var best: AlignmentFit?
        for offset in offsets {
            var guess = local
            guess.offset = offset
            let window = window(line, guess, stretch, margin: Landmark.stepsPerSecond)
            let refined = stretch.verifier.refine(guess, on: window)
            // A position this near is the alignment itself, which a fit can refine.
            guard abs(refined.offset - local.offset) > Self.lineWidth,
                SearchRange.contains(refined)
            else { continue }
            // A short interval determines the speed less well than the alignment does.
            var steady = refined
            steady.speed = local.speed
            steady.offset += (refined.speed - local.speed) * stretch.length / 2
            for place in [refined, steady] {
                let fit = weigh(stretch, on: line.moved(to: global(place, stretch)))
                if fit.evidence > best?.evidence ?? -.infinity { best = fit }
            }
        }
        return best
    }

    /// Returns the evidence that the best position elsewhere in the same reference reaches by chance, in nats.
    package func chance(elsewhereThan line: TrackedAlignment) -> Double {
        log(Double(max(1, line.surroundings.steps.count / Landmark.stepsPerFrame)))
    }

    /// Returns a tracked reference as the match of a query.
    ///
    /// - Parameters:
    ///   - line: The reference.
    ///   - query: The start and the end of the query on the stream's timeline, in seconds.
    ///   - since: The time from which the alignment is valid, in seconds.
    ///   - evidence: The evidence of the interval that the alignment was fitted to, in nats.
    package func match(
        _ line: TrackedAlignment,
        query: ClosedRange<Double>,
        since: Double,
        evidence: Double
    ) -> ReferenceMatch {
        func time(_ seconds: Double) -> MediaTime { MediaTime(seconds: seconds, preferredTimescale: 16_000) }
        let begin = min(max(query.lowerBound, since), query.upperBound)
        let low = max(0, line.position(at: begin))
        let high = min(line.referenceDuration.seconds, line.position(at: query.upperBound))
        // Only some positions around the expected one were tried.
        let score = evidence - Self.expectedChance
        let placement = Placement(
            offset: time(line.position(at: query.lowerBound)),
            queryRange: time(begin - query.lowerBound)..<time(query.upperBound - query.lowerBound),
            referenceRange: time(low)..<time(max(low, high)),
            speedSkew: line.speedSkew,
            pitchSkew: line.pitchSkew,
            score: score,
            confidence: parameters.confidence(ofScore: score)
        )
        return ReferenceMatch(
            id: line.id,
            items: line.items,
            referenceDuration: line.referenceDuration,
            occurrences: [placement]
        )
    }

    // MARK: - Parts

    private func weigh(_ stretch: Stretch, on line: TrackedAlignment) -> AlignmentFit {
        let local = local(line.alignment, stretch)
        let window = window(line, local, stretch, margin: 2 * Landmark.stepsPerSecond)
        let evidence = stretch.verifier.evidence(on: window, local, density: line.density)
        let span = stretch.verifier.span(on: window, local, density: line.density, damage: evidence.damage)
        let second = Double(Landmark.stepsPerSecond)
        return AlignmentFit(
            line: line,
            evidence: evidence.balanced,
            inside: evidence.inside,
            span: span.lowerBound / second..<span.upperBound / second
        )
    }

    /// Converts an alignment to the time of an interval.
    private func local(_ alignment: Alignment, _ stretch: Stretch) -> Alignment {
        alignment.seen(from: stretch.start)
    }

    private func global(_ alignment: Alignment, _ stretch: Stretch) -> Alignment {
        alignment.seen(from: -stretch.start)
    }

    private func window(
        _ line: TrackedAlignment,
        _ local: Alignment,
        _ stretch: Stretch,
        margin: Int
    ) -> ReferenceWindow {
        let begin = Int(max(-1e9, min(1e9, local.offset))) - margin
        let end = begin + Int(local.speed * stretch.verifier.lastTime) + 2 * margin
        return ReferenceWindow(targets[line.segment].segment, reference: line.reference, steps: begin..<max(begin, end))
    }
}
