public import EarshotCore
import EarshotDSP
import EarshotSegments
public import EarshotSignatures
import Foundation
import Synchronization

extension Catalog {
    /// Searches the references for a query.
    ///
    /// - Parameters:
    ///   - query: The signature of a recording, within ``queryLimits``; cut a longer one with
    ///     `Signature.slices(duration:stride:)`.
    ///   - isThorough: `true` to search again without the landmarks of the references found. This finds a second song
    ///     beneath the first, or at another speed, and takes several times as long.
    /// - Returns: The references found, best first; `nil` if there is none. The search checks up to 24 places for each
    ///   speed and pitch, fewer if the first are clear. It tries other speeds and pitches only if no answer is sure.
    /// - Throws: `signatureDurationInvalid` if the query is shorter or longer than ``queryLimits``; `signatureInvalid`
    ///   if it has no landmarks, commonly because the audio is silent; `catalogInvalid` if a reference found is
    ///   damaged; `moreEvidence` if landmarks alone are not conclusive and the query says that its spectrogram can be
    ///   sent.
    public func match(_ query: Signature, isThorough: Bool = false) throws(EarshotError) -> Match? {
        let result = try search(query, isThorough: isThorough)
        guard !result.accepted.isEmpty else { return nil }
        return Match(querySignature: query, references: result.accepted, catalog: identity)
    }

    /// The outcome of a search, including candidates below the threshold.
    package struct SearchResult: Sendable {
        /// References whose score reaches the threshold, best first.
        package let accepted: [ReferenceMatch]
        /// The best reference, even if its score is below the threshold; `nil` if there was no candidate.
        package let best: ReferenceMatch?
        /// The best candidate of that reference.
        package let evidence: Candidate?
        /// Every candidate that was scored, best first.
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

    /// Searches for a query with the given parameters, and returns candidates below the threshold too.
    ///
    /// - Throws: The errors of ``match(_:isThorough:)``.
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
        // The places of a reference are sorted by their whole evidence, so the first one of it may be below the
        // threshold by itself.
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

    /// Returns the candidates of a search with the names of their references, best first.
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

    /// A reference that was found, with its position. In a catalog of several files the same name may occur more than
    /// once.
    package struct Place: Sendable {
        /// The index of the file, in the given order.
        package let segment: Int
        /// The number of the reference in the file, in order of adding.
        package let number: Int
        /// The alignment of the query with the reference.
        package let match: ReferenceMatch
    }

    /// Searches for a query as ``match(_:isThorough:)`` does, and returns the file and number of each reference found.
    ///
    /// - Throws: The errors of ``match(_:isThorough:)``.
    package func places(of query: Signature) throws(EarshotError) -> [Place] {
        try check(query)
        let targets = try matchTargets()
        let parameters = MatchingParameters()
        let candidates = Matcher(targets, parameters: parameters).search(query)
        return try places(candidates.filter { $0.score >= parameters.threshold }, in: targets, parameters)
    }

    /// Checks that a query is within the limits and has landmarks.
    ///
    /// - Throws: `signatureDurationInvalid` if it is shorter or longer than ``queryLimits``; `signatureInvalid` if it
    ///   has no landmarks.
    package func check(_ query: Signature) throws(EarshotError) {
        guard query.duration >= queryLimits.minimum, query.duration <= queryLimits.maximum else {
            let isShort = query.duration < queryLimits.minimum
            // Rounded away from the limit, so that a query that is 3 ms too short is not reported with the length of
            // the shortest.
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

    /// Returns all segments, with the pending references indexed as the last one.
    ///
    /// - Throws: `internalError` if the index cannot be built; `catalogInvalid` if it would exceed 4 GiB.
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

    /// Reads the name and the media items of a reference.
    ///
    /// - Throws: `catalogInvalid` if they cannot be read.
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
