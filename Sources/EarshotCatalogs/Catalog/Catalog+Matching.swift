public import EarshotCore
import EarshotDSP
import EarshotSegments
public import EarshotSignatures
import Foundation
import Synchronization

extension Catalog {
    /// Looks for a query among the references.
    ///
    /// - Parameters:
    ///   - query: The signature of a recording, within ``queryLimits``; cut a longer one with
    ///     `Signature.slices(duration:stride:)`.
    ///   - isThorough: `true` to search again without the landmarks of the references found. This finds a second song
    ///     beneath the first, or at another speed, and takes several times as long.
    /// - Returns: Every reference found, best first, or nothing. Up to 24 places are looked at for each speed and pitch;
    ///   fewer where the first are clear, and other speeds and pitches only when no answer is sure.
    /// - Throws: `signatureDurationInvalid` when the query is too short or too long; `signatureInvalid` when it has no
    ///   landmarks, commonly because the audio is silent; `catalogInvalid` when a reference found is damaged; `moreEvidence` when
    ///   landmarks alone are not sure and the query says that its spectrogram can be sent.
    public func match(_ query: Signature, isThorough: Bool = false) throws(EarshotError) -> Match? {
        let result = try search(query, isThorough: isThorough)
        guard !result.accepted.isEmpty else { return nil }
        return Match(querySignature: query, references: result.accepted, catalog: identity)
    }

    /// The outcome of a search, below the threshold too.
    package struct SearchResult: Sendable {
        /// References that are answered, best first.
        package let accepted: [ReferenceMatch]
        /// The best candidate, answered or not.
        package let best: ReferenceMatch?
        /// The evidence for the best candidate.
        package let evidence: Candidate?
        /// Every candidate that was weighed, best first.
        let candidates: [Candidate]
        /// The amount of the index that was read.
        package let work: SearchWork
    }

    /// A candidate with the name of its reference.
    package struct PlacedCandidate: Sendable {
        package let id: ReferenceID
        /// The time of the reference at the start of the query, in seconds.
        package let offset: Double
        /// Reference seconds that pass in one second of the query.
        package let speed: Double
        /// The pitch of the query above the reference, in semitones.
        package let pitch: Double
        package let candidate: Candidate
    }

    /// Looks for a query, with the numbers that decide how.
    package func search(
        _ query: Signature,
        isThorough: Bool = false,
        parameters: MatchingParameters = MatchingParameters()
    ) throws(EarshotError) -> SearchResult {
        try check(query)
        let targets = try matchTargets()
        var work = SearchWork()
        let lanes = lanes.take(for: targets, parameters)
        defer { self.lanes.giveBack(lanes) }
        let matcher = Matcher(targets, parameters: parameters, lanes: lanes)
        let candidates =
            isThorough ? matcher.searchThoroughly(query, counting: &work) : matcher.search(query, counting: &work)
        guard !work.wantsSpectrogram else {
            throw EarshotError(
                .moreEvidence,
                "The landmarks of the recording are not conclusive: send the signature again with its spectrogram."
            )
        }
        let accepted = candidates.filter { $0.score >= parameters.threshold }
        // Places of a reference stand in the order of their whole evidence: the first need not be an answer by itself.
        let best = accepted.first ?? candidates.first
        let bestGroup = best.map { first in
            candidates.filter { $0.segment == first.segment && $0.reference == first.reference }
        }
        return SearchResult(
            accepted: try references(accepted, in: targets, parameters),
            best: try bestGroup.flatMap { group throws(EarshotError) in
                try references(group, in: targets, parameters).first
            },
            evidence: best,
            candidates: candidates,
            work: work
        )
    }

    /// The candidates of a search with the names of their references, best first.
    package func candidates(of result: SearchResult) throws(EarshotError) -> [PlacedCandidate] {
        let targets = try matchTargets()
        return result.candidates.compactMap { candidate in
            targets[candidate.segment].segment.id(candidate.reference).map { id in
                PlacedCandidate(
                    id: id,
                    offset: candidate.alignment.offset / Double(Landmark.stepsPerSecond),
                    speed: candidate.alignment.speed,
                    pitch: candidate.alignment.pitch / Double(Landmark.stepsPerBin * FrequencyAxis.binsPerOctave / 12),
                    candidate: candidate
                )
            }
        }
    }

    /// A reference that was found, and where it stands: names may occur more than once in a catalog of several files.
    package struct Place: Sendable {
        /// The index of the file, in the given order.
        package let segment: Int
        /// The number of the reference in the file, in order of adding.
        package let number: Int
        /// The alignment of the query with the reference.
        package let match: ReferenceMatch
    }

    /// Looks for a query as ``match(_:isThorough:)`` does, and says where the references stand that were found.
    package func places(of query: Signature) throws(EarshotError) -> [Place] {
        try check(query)
        let targets = try matchTargets()
        let parameters = MatchingParameters()
        let candidates = Matcher(targets, parameters: parameters).search(query)
        return try places(candidates.filter { $0.score >= parameters.threshold }, in: targets, parameters)
    }

    /// Refuses a query that the catalog does not take.
    ///
    /// - Throws: `signatureDurationInvalid`, `signatureInvalid`.
    package func check(_ query: Signature) throws(EarshotError) {
        guard query.duration >= queryLimits.minimum, query.duration <= queryLimits.maximum else {
            let isShort = query.duration < queryLimits.minimum
            // Away from the limit: a query that is 3 ms too short is not said to last as long as the shortest.
            let milliseconds = query.duration.converted(
                toTimescale: 1_000,
                rounding: isShort ? .towardNegativeInfinity : .towardPositiveInfinity
            )
            throw EarshotError(
                .signatureDurationInvalid,
                "The query lasts \(milliseconds.seconds) s, and the catalog takes \(queryLimits.minimum.seconds) to "
                    + "\(queryLimits.maximum.seconds) s: \(isShort ? "record more." : "cut it into slices.")"
            )
        }
        guard !query.isEmpty else {
            throw EarshotError(
                .signatureInvalid,
                "The query has no landmarks: its audio is silent or has no tones that stand out. Check the source."
            )
        }
    }

    /// All references in indexed form.
    func matchTargets() throws(EarshotError) -> [MaskedSegment] {
        guard !pending.isEmpty else { return targets }
        let segment: Segment
        do {
            segment = try pendingSegment.segment.withLock { held in
                if let held { return held }
                let image = try SegmentWriter.image(of: pending, limits: queryLimits)
                let built = try Segment(MappedBytes(image), name: name)
                held = built
                return built
            }
        } catch let error as EarshotError {
            throw error
        } catch {
            throw EarshotError(.internalError, "The index could not be built: please report this.", cause: error)
        }
        return targets + [MaskedSegment(segment: segment, removed: [])]
    }

    private func references(
        _ candidates: [Candidate],
        in targets: [MaskedSegment],
        _ parameters: MatchingParameters
    ) throws(EarshotError) -> [ReferenceMatch] {
        try places(candidates, in: targets, parameters).map(\.match)
    }

    private func places(
        _ candidates: [Candidate],
        in targets: [MaskedSegment],
        _ parameters: MatchingParameters
    ) throws(EarshotError) -> [Place] {
        var places: [Place] = []
        for (key, ofReference) in candidates.grouped(by: \.key) {
            let reference = try found(key, in: targets)
            let match = ReferenceMatch(reference, ofReference, parameters)
            places.append(Place(segment: key.segment, number: key.reference, match: match))
        }
        return places
    }

    /// The name and the media items of a reference.
    func found(_ key: Candidate.Key, in targets: [MaskedSegment]) throws(EarshotError) -> FoundReference {
        let segment = targets[key.segment].segment
        guard let id = segment.id(key.reference), let items = segment.items(key.reference) else {
            throw EarshotError(
                .catalogInvalid,
                "\(name) is damaged: reference \(key.reference + 1) cannot be read. Make the catalog again."
            )
        }
        return FoundReference(
            segment: key.segment,
            number: key.reference,
            id: id,
            items: items,
            duration: segment.records[key.reference].duration
        )
    }
}
