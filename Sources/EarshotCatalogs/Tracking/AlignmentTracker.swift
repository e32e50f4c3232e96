package import EarshotCore
package import EarshotSignatures
import Foundation

/// Weighs what a stream plays against references that were found in it, without asking the index.
///
/// For a known line only few positions are possible: near it, or elsewhere in the same reference after a seek. So less
/// chance has to be exceeded than in a search of the whole catalog, and a second or two of audio is enough.
package struct AlignmentTracker: Sendable {
    /// A stretch of a stream.
    package struct Stretch: Sendable {
        let landmarks: [Landmark]
        let verifier: Verifier
        /// The beginning on the stream's timeline, in steps.
        let start: Double
        /// Its duration, in steps.
        let length: Double

        /// - Parameters:
        ///   - signature: Of the stretch.
        ///   - start: The beginning on the stream's timeline, in seconds.
        package init(_ signature: Signature, from start: Double) {
            landmarks = signature.thinned(to: MatchingParameters().queryDensity).landmarks
            verifier = Verifier(landmarks)
            self.start = start * Double(Landmark.stepsPerSecond)
            length = signature.duration.seconds * Double(Landmark.stepsPerSecond)
        }

        /// `true` if there is too little in it to say anything.
        package var isSparse: Bool { landmarks.count < Verifier.leastInside }
    }

    /// The part of a long reference that is searched for another position: an hour to either side.
    private static let reach = 3_600 * Landmark.stepsPerSecond
    /// The chance level of the best of the positions near a line, in nats: about 200 of them.
    private static let expectedChance = 5.3
    /// The smallest distance of another position, in steps: 30 ms. A break of a tenth of a second in the audio is one.
    private static let lineWidth = 15.0
    /// Other places that are weighed.
    private static let placeCount = 6

    private let targets: [MaskedSegment]
    private let parameters = MatchingParameters()

    /// - Throws: The errors of matching in the catalog.
    package init(_ catalog: Catalog) throws(EarshotError) {
        targets = try catalog.matchTargets()
    }

    /// The line of a match.
    ///
    /// - Parameters:
    ///   - match: A reference that was found in a query.
    ///   - start: The beginning of the query on the stream's timeline, in seconds.
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

    /// The same line in this catalog, which may differ from the one in which it was found.
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

    /// Weighs a stretch on a line.
    ///
    /// - Parameter refines: `true` if the line may follow the stretch in offset, speed and pitch.
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

    /// The best other place of the same reference, at the speed and pitch of the line.
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
            // What is so near the line is the line, which a fit can follow.
            guard abs(refined.offset - local.offset) > Self.lineWidth,
                SearchRange.contains(refined)
            else { continue }
            // A short stretch says less about speed than the line does.
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

    /// The evidence required of a position elsewhere in the same reference, for one interval that is compared with all
    /// its frames, in nats.
    package func chance(elsewhereThan line: TrackedAlignment) -> Double {
        log(Double(max(1, line.surroundings.steps.count / Landmark.stepsPerFrame)))
    }

    /// A followed reference as the match of a query.
    ///
    /// - Parameters:
    ///   - line: The reference.
    ///   - query: The beginning and end of the query on the stream's timeline, in seconds.
    ///   - since: The time from which the line holds.
    ///   - evidence: The evidence of the interval that the line was fitted to, in nats.
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
        // Little was tried for it: some places around where it was expected.
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

    /// A line as seen from the begin of a stretch.
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
