import EarshotCore
public import Foundation

/// Decides which tracks a fingerprint belongs to, for lookups and for submissions. A track is all fingerprints of one
/// recording.
///
/// In a lookup, the score of a track is that of its most similar fingerprint. A submission changes later results, so
/// the limits are stricter: it must be very similar to one fingerprint of a track, not too different from any of them,
/// and begin at about the same position. The limits are those of AcoustID's own service: 0.7 for the most similar, 0.3
/// for the least similar, ten seconds.
public enum AcoustIDMatcher {
    /// A track that a lookup found.
    public struct Result: Hashable, Sendable {
        /// The AcoustID identifier of the track.
        public let track: UUID
        /// The similarity of its most similar fingerprint, from 0.4 to 1.
        public let score: Double

        /// Creates a result.
        public init(track: UUID, score: Double) {
            self.track = track
            self.score = score
        }
    }

    /// A track that a submitted fingerprint may belong to.
    package struct Candidate: Sendable {
        /// The AcoustID identifier of the track.
        package let track: UUID
        /// The fingerprints of the track with their numbers, limited to the part that is compared.
        package let fingerprints: [(number: UInt64, fingerprint: FileFingerprint)]

        /// Creates a candidate.
        package init(track: UUID, fingerprints: [(number: UInt64, fingerprint: FileFingerprint)]) {
            self.track = track
            self.fingerprints = fingerprints.map { ($0.number, $0.fingerprint.compared) }
        }
    }

    /// The lowest similarity to the most similar fingerprint of a track with which a submission joins the track.
    package static let joiningScore = 0.7
    /// The lowest similarity to the least similar fingerprint of a track with which a submission joins the track.
    package static let leastScore = 0.3
    /// The lowest similarity with which two fingerprints count as the same.
    package static let sameScore = 0.95
    /// The largest difference between the beginnings of the recording in two fingerprints of a track, in
    /// sub-fingerprints: ten seconds.
    package static let mostOffset = 80
    /// The smallest number of different sub-fingerprints of an accepted submission. Silence and tones have fewer.
    package static let leastVariety = 80
    /// The largest number of tracks that one submission can merge, which limits the comparisons of all with all.
    package static let mostJoined = 10
    /// The largest difference in duration between the files of one track, in seconds.
    public static let durationDifference = 7

    // MARK: - Looking up

    /// Returns the tracks of matching fingerprints, most similar first, each once.
    ///
    /// - Parameters:
    ///   - matches: The matches in the index.
    ///   - tracks: The tracks of the fingerprints by number. A fingerprint without one is ignored.
    ///   - limit: The largest number of results.
    public static func results(
        _ matches: [FingerprintMatch],
        tracks: [UInt64: UUID],
        limit: Int = 10
    ) -> [Result] {
        var best: [UUID: Double] = [:]
        for match in matches {
            guard let track = tracks[match.id] else { continue }
            best[track] = max(best[track] ?? 0, match.score)
        }
        let results = best.map { Result(track: $0.key, score: min(1, $0.value)) }
        // Equal scores stand in the order of their ids, so that one question always has one answer.
        return Array(results.sorted { ($0.score, $1.track.text) > ($1.score, $0.track.text) }.prefix(max(0, limit)))
    }

    // MARK: - Importing

    /// Decides about a submitted fingerprint: it is rejected, joins a track or begins a new one.
    ///
    /// - Parameters:
    ///   - fingerprint: The submitted fingerprint.
    ///   - candidates: The tracks with similar fingerprints.
    ///   - newTrack: The identifier to use for a new track.
    package static func decision(
        on fingerprint: FileFingerprint,
        among candidates: [Candidate],
        newTrack: UUID
    ) -> FingerprintDecision {
        let fingerprint = fingerprint.compared
        guard Set(fingerprint.values).count >= leastVariety else { return .refuse }
        let fitting = candidates.compactMap { fit(fingerprint, $0) }
            .sorted { ($0.score, $1.first) > ($1.score, $0.first) }
        guard let best = fitting.first else { return .begin(newTrack) }
        var group = [best]
        for other in fitting.prefix(mostJoined).dropFirst()
        where group.allSatisfy({ areOne($0.candidate, other.candidate) }) {
            group.append(other)
        }
        // The oldest keeps its id, which most people have stored.
        let kept = group.min { $0.first < $1.first } ?? best
        return .join(
            kept.candidate.track,
            same: best.score >= sameScore ? best.likest : nil,
            absorbing: group.map(\.candidate.track).filter { $0 != kept.candidate.track }
        )
    }

    private struct Fit {
        let candidate: Candidate
        let score: Double
        let likest: UInt64
        /// The number of its oldest fingerprint.
        let first: UInt64
    }

    /// The fit of a fingerprint to a track; `nil` if it may not join.
    private static func fit(_ fingerprint: FileFingerprint, _ candidate: Candidate) -> Fit? {
        var best: (score: Double, number: UInt64) = (0, 0)
        for (number, other) in candidate.fingerprints {
            guard let score = likeness(fingerprint, other) else { return nil }
            if score > best.score { best = (score, number) }
        }
        guard best.score >= joiningScore, let first = candidate.fingerprints.map(\.number).min() else { return nil }
        return Fit(candidate: candidate, score: best.score, likest: best.number, first: first)
    }

    /// Returns `true` if every fingerprint of one track may stand beside every one of the other.
    private static func areOne(_ left: Candidate, _ right: Candidate) -> Bool {
        left.fingerprints.allSatisfy { one in
            right.fingerprints.allSatisfy { likeness(one.fingerprint, $0.fingerprint) != nil }
        }
    }

    /// The likeness of two fingerprints; `nil` if they may not be of one track.
    private static func likeness(_ left: FileFingerprint, _ right: FileFingerprint) -> Double? {
        guard abs((left.duration - right.duration).seconds) <= Double(durationDifference) else { return nil }
        let similarity = left.similarity(to: right)
        guard similarity.score >= leastScore, abs(similarity.offset) <= mostOffset else { return nil }
        return similarity.score
    }
}

extension UUID {
    /// The identifier in lower case, as AcoustID and MusicBrainz write it.
    package var text: String { uuidString.lowercased() }
}
