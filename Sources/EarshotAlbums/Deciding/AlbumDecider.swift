import Dispatch
public import EarshotCore
import EarshotMedia
public import EarshotMusic
public import EarshotRecognition
import EarshotSignatures

/// Identifies album files in this process, with a catalog, an index of fingerprints, and a store of albums.
public struct AlbumDecider: AlbumRecognitionService {
    /// Finds what a file sounds like: tracks of the store, each with how sure that is, from 0 to 1.
    public typealias TrackScoring = @Sendable (FileAttributes) async throws(EarshotError) -> [EntityID<Track>: Double]

    /// The limits of a search.
    public struct Limits: Hashable, Sendable {
        /// The most files of one question.
        public var files = 100
        /// The number of albums that are compared with the files of a query, in addition to one for each file that is
        /// on none of them.
        public var albums = 24
        /// The largest number of title searches of a query.
        public var titleSearches = 150
        /// The largest number of title searches for one file.
        public var searchesOfFile = 5
        /// The most tracks of all albums that are held against files, together.
        public var tracks = 2_000

        /// Creates the default limits.
        public init() {}
    }

    /// Increases if answers for the same files change: cached answers of an older version are then requested again.
    public static let version = 5

    let service: LocalRecognitionService
    private let hearing: TrackScoring?
    private let weights: DecisionWeights
    private let limits: Limits

    /// A decider.
    ///
    /// - Parameters:
    ///   - service: The service whose catalog and store are searched.
    ///   - limits: The limits of a search.
    ///   - hearing: An additional source of audio matches, such as an index of fingerprints.
    public init(_ service: LocalRecognitionService, limits: Limits = Limits(), hearing: TrackScoring? = nil) {
        self.service = service
        self.hearing = hearing
        self.limits = limits
        weights = DecisionWeights()
    }

    /// The most files of one question.
    public var albumQueryLimit: Int { limits.files }

    /// Fingerprints are of use only where something looks for them.
    public var usableEvidence: AlbumEvidence { hearing == nil ? .all.subtracting(.fingerprints) : .all }

    /// Decides for all files of a question together.
    public func identify(
        _ query: AlbumQuery,
        _ preferences: ContentPreferences
    ) async throws(EarshotError) -> [FileDecision] {
        guard query.files.count <= limits.files else {
            throw EarshotError(
                .requestInvalid,
                "The query has \(query.files.count) files, and \(limits.files) are allowed: send several queries."
            )
        }
        guard Set(query.files.map(\.id)).count == query.files.count else {
            throw EarshotError(.requestInvalid, "Two files have the same identifier: give each its own.")
        }
        var files = query.files.map { FileEvidence($0.limited(to: query.evidence)) }
        for index in files.indices { try await listen(to: &files[index]) }
        let search = AlbumSearch(music: service.music, limits: limits)
        var albums = try await search.albums(for: files)
        var (choice, outcomes) = try await decide(files, albums)
        // What titles of albums and folders led to may be the wrong albums: the files that are on none of them are searched for
        // by their own titles.
        let left = zip(files, outcomes.files).compactMap { file, outcome in outcome == nil ? file : nil }
        let more = try await search.albums(byTitlesOf: left, beside: albums)
        if !more.isEmpty {
            albums += more
            (choice, outcomes) = try await decide(files, albums)
        }
        return try await decisions(choice, outcomes, preferences)
    }

    /// A large question takes a second: on a thread of its own.
    private func decide(
        _ files: [FileEvidence],
        _ albums: [AlbumCandidate]
    ) async throws(EarshotError) -> (AlbumChoice, AlbumChoice.Outcomes) {
        let choice = AlbumChoice(files: files, albums: albums, weights: weights)
        let cancellation = Cancellation()
        let result = await BlockingWork.run(on: .global(qos: .utility), cancelling: cancellation) {
            () throws(EarshotError) in try choice.outcomes { cancellation.isCancelled }
        }
        return (choice, try result.get())
    }

    // MARK: - Sound

    /// Looks for the sound of a file.
    private func listen(to file: inout FileEvidence) async throws(EarshotError) {
        var heard: [EntityID<Track>: Double] = [:]
        if let signature = file.attributes.signature, !signature.isEmpty {
            do {
                let found = try await service.tracks(soundingLike: signature)
                for (track, confidence) in found.tracks { heard[track.id] = max(heard[track.id] ?? 0, confidence) }
                file.soundSearch =
                    found.hasMatch ? .found : signature.hasEnoughToBeHeard ? .unknown : FileEvidence.AudioSearch.none
            } catch  where error.code == .signatureInvalid || error.code == .signatureDurationInvalid {
                // Too short a file is known by what else there is.
            }
        }
        for (track, confidence) in try await hearing?(file.attributes) ?? [:] {
            heard[track] = max(heard[track] ?? 0, confidence)
        }
        var known: [EntityID<Track>: Track] = [:]
        for id in heard.keys { known[id] = try await service.music.track(id) }
        Self.discountParts(&heard, known, duration: file.attributes.duration)
        // A recording stands on several albums, and is known by its identifiers on each.
        for (id, confidence) in heard {
            for identifier in known[id]?.identifiers ?? []
            where identifier.scheme == .musicBrainzRecording || identifier.scheme == .isrc {
                for track in try await service.music.tracks(with: identifier) {
                    heard[track.id] = max(heard[track.id] ?? 0, confidence)
                }
            }
        }
        file.heard = heard
    }

    /// Halves the weight of sound for tracks of another length, if a track has about the length of the file.
    ///
    /// An edit and the whole, or two mixes with a middle in common, sound the same.
    private static func discountParts(
        _ heard: inout [EntityID<Track>: Double],
        _ known: [EntityID<Track>: Track],
        duration: MediaTime?
    ) {
        guard let duration, heard.count > 1 else { return }
        let differences = known.compactMapValues { track in
            track.duration.map { abs(($0 - duration).seconds) }.flatMap { $0.isFinite ? $0 : nil }
        }
        guard differences.values.contains(where: { $0 <= sameLength }) else { return }
        for (id, difference) in differences where difference > otherLength { heard[id]? /= 2 }
    }

    /// The largest difference of a file's length from its own recording, and the least from another, in seconds.
    private static let (sameLength, otherLength) = (5.0, 20.0)

    // MARK: - Answers

    private func decisions(
        _ choice: AlbumChoice,
        _ outcomes: AlbumChoice.Outcomes,
        _ preferences: ContentPreferences
    ) async throws(EarshotError) -> [FileDecision] {
        // Of pictures and texts there are addresses, to be loaded once an album; a source of links prefers no album to the one it is.
        var preferences = preferences
        preferences.biography = false
        preferences.review = false
        preferences.preferredLinkSource = nil
        var decisions: [FileDecision] = []
        for (index, file) in choice.files.enumerated() {
            guard let outcome = outcomes.files[index] else {
                let reasons = choice.reasons(forNothingBut: outcomes.nearest[index], file: file)
                decisions.append(FileDecision(file: file.attributes.id, reasons: reasons))
                continue
            }
            let slot = choice.albums[outcome.album].slots[outcome.slot]
            var decision = FileDecision(
                file: file.attributes.id,
                match: try await service.track(slot.track.id, preferences),
                confidence: outcome.confidence,
                albumConfidence: outcome.albumConfidence,
                editionConfidence: outcome.editionConfidence,
                reasons: choice.reasons(for: outcome, file: file),
                duplicateOf: outcome.duplicateOf.map { choice.files[$0].attributes.id }
            )
            if let contradiction = try await contradiction(to: slot, of: choice.albums[outcome.album], by: file) {
                decision.contradict(contradiction, atMost: weights.contradictedConfidence)
            }
            decisions.append(decision)
        }
        // Nor is another file the copy of one that may be something else.
        let contradicted = Set(decisions.lazy.filter(\.isContradictedBySound).map(\.file))
        for index in decisions.indices {
            if let first = decisions[index].duplicateOf, contradicted.contains(first) {
                decisions[index].duplicateOf = nil
            }
        }
        return decisions
    }
}
