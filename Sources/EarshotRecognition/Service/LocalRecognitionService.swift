public import EarshotCatalogs
public import EarshotCore
public import EarshotMusic
public import EarshotSignatures

/// A recognition service in this process: a catalog recognizes signatures, and a store provides the metadata of the
/// music.
///
/// The track of a reference is found in the store by the first of these that leads to one: the media item's
/// `serviceID`, the reference's name, the media item's ISRC, and artist and title (ignoring case, accents and widths).
/// If none does, the match contains the description in the media item.
public struct LocalRecognitionService: RecognitionService {
    /// Searches the catalog for a signature of a permitted duration; returns `nil` if nothing matches.
    public typealias Matching = @Sendable (Signature) async throws(EarshotError) -> Match?

    /// Returns the references that may be recordings of a track by the given artist.
    public typealias ReferenceLookup =
        @Sendable (Track, _ artist: String?) async throws(EarshotError) -> [ReferenceSummary]

    /// The largest number of matches of a recognition: 10.
    public static let matchLimit = 10
    /// The shortest duration of a recording of the kind `stream`: 6.5 s.
    public static let streamDuration = MediaTime(value: 6_500, timescale: 1000)

    /// The store of music metadata.
    package let music: any MusicStore
    /// Says that tracks of references are looked for in the store. Otherwise media items alone say what a reference is.
    private var asksStore = true
    let matching: Matching
    let limits: QueryLimits
    let addresses: any ContentAddresses
    let pictures: (any PictureMaker)?
    let taxonomies: Taxonomies
    let criteria: [MatchCriterion]
    /// The kinds of content that the caller may receive.
    public let entitlements: Set<Entitlement>
    /// The sources for broadcast queries; `nil` for music only.
    public var broadcast: BroadcastSources?
    /// Returns the references of a track: `{ try catalog.references(ofTrack: $0, artist: $1) }`. `nil` to omit the
    /// check whether the audio of a file contradicts its tags.
    public var references: ReferenceLookup?

    /// Creates a service.
    ///
    /// - Parameters:
    ///   - music: The store of music metadata.
    ///   - limits: The shortest and longest duration of a signature that `matching` accepts.
    ///   - entitlements: The kinds of content that the caller may receive.
    ///   - criteria: The criteria by which candidates are ranked.
    ///   - taxonomies: The hierarchies of genres, moods and other descriptors.
    ///   - addresses: Creates the addresses of pictures and texts.
    ///   - pictures: Scales pictures. If `nil`, pictures are returned as stored, and there are no pictures of genres.
    ///   - matching: Searches the catalog: `{ try catalog.match($0) }`, on a thread that may be blocked for some
    ///     milliseconds.
    public init(
        music: any MusicStore,
        limits: QueryLimits = .standard,
        entitlements: Set<Entitlement> = Set(Entitlement.allCases),
        criteria: [MatchCriterion] = MatchCriterion.standard,
        taxonomies: Taxonomies = .builtIn,
        addresses: any ContentAddresses = PlainContentAddresses(),
        pictures: (any PictureMaker)? = nil,
        matching: @escaping Matching
    ) {
        self.music = music
        self.matching = matching
        self.limits = limits
        self.entitlements = entitlements
        self.criteria = criteria
        self.taxonomies = taxonomies
        self.addresses = addresses
        self.pictures = pictures
    }

    /// Returns the same service for a caller with other entitlements.
    public func entitled(to entitlements: Set<Entitlement>) -> LocalRecognitionService {
        var service = LocalRecognitionService(
            music: music,
            limits: limits,
            entitlements: entitlements,
            criteria: criteria,
            taxonomies: taxonomies,
            addresses: addresses,
            pictures: pictures,
            matching: matching
        )
        service.broadcast = broadcast
        service.references = references
        return service
    }

    // MARK: - Recognition

    /// Recognizes a recording. If the music store cannot be reached, the matches contain the descriptions in the media
    /// items.
    ///
    /// - Returns: The matches, best first; empty if nothing was found.
    /// - Throws: `signatureInvalid` for a signature of silence, and the errors of the catalog and the store.
    public func recognize(
        _ query: RecognitionQuery,
        _ preferences: ContentPreferences
    ) async throws(EarshotError) -> [MusicMatch] {
        guard let (match, start) = try await found(query.signature) else { return [] }
        let references = match.references.map { (match: $0, start: start) }
        do throws(EarshotError) {
            return try await tracks(references, query.kind, preferences)
        } catch {
            guard error.code == .storeUnavailable else { throw error }
            // What was heard is known all the same, and its media items say a title.
            var service = self
            service.asksStore = false
            return try await service.tracks(references, query.kind, preferences)
        }
    }

    /// The music of references in which a recording was found, each with where in it the part that was looked for begins.
    func tracks(
        _ references: [(match: ReferenceMatch, start: MediaTime)],
        _ kind: RecognitionQuery.Kind,
        _ preferences: ContentPreferences
    ) async throws(EarshotError) -> [MusicMatch] {
        let best = references.map(\.match.score).max() ?? 1
        var candidates: [MatchCandidate] = []
        for (reference, start) in references {
            // Another recording of the same track adds nothing to the better one before it.
            for var candidate in try await self.candidates(for: reference) {
                guard !candidates.contains(where: { $0.track != nil && $0.track?.id == candidate.track?.id }) else {
                    continue
                }
                candidate.evidence = best > 0 ? max(0, reference.score / best) : 1
                candidate.placement = placement(of: reference, start)
                if kind == .stream {
                    // To the millisecond, as it is told.
                    candidate.songPosition = MediaTime(
                        seconds: reference.best.shifted(toPartAt: start).offset.seconds,
                        preferredTimescale: 1_000
                    )
                }
                candidate.order = candidates.count
                candidates.append(candidate)
            }
        }
        let ranked = MatchCandidate.ranked(candidates, by: criteria, source: preferences.preferredLinkSource)
        var preferences = preferences
        // Covers of matches of which the caller will choose one are fetched with the one that is chosen.
        if !preferences.singleBestMatch { preferences.coverArt = false }
        return try await matches(
            ranked.prefix(preferences.singleBestMatch ? 1 : Self.matchLimit),
            preferences
        )
    }

    /// The result of a search for the tracks that a signature matches.
    package struct RecognizedTracks: Sendable {
        /// The tracks whose recordings match, each with the probability of the match, from 0 to 1.
        package var tracks: [(track: Track, confidence: Double)] = []
        /// `true` if any reference matches, including those without a track in the store.
        package var hasMatch = false
    }

    /// Returns the tracks whose recordings match a signature. References without a track in the store are left out.
    package func tracks(soundingLike signature: Signature) async throws(EarshotError) -> RecognizedTracks {
        guard let (match, _) = try await found(signature) else { return RecognizedTracks() }
        var found = RecognizedTracks(hasMatch: true)
        for reference in match.references {
            for candidate in try await candidates(for: reference) {
                if let track = candidate.track { found.tracks.append((track, reference.confidence)) }
            }
        }
        return found
    }

    /// Returns `true` if the catalog has a recording of the whole track, so that a file of the track must match it.
    ///
    /// An excerpt does not count, because the beginning of a file may be outside of it. Nor does a reference that has
    /// only artist and title in common and another duration, such as the studio recording of a live track.
    package func hasReference(of track: Track) async throws(EarshotError) -> Bool {
        guard let references else { return false }
        let credits = track.credits.isEmpty ? try await album(of: track)?.credits ?? [] : track.credits
        let artist = credits.displayName
        for reference in try await references(track, artist.isEmpty ? nil : artist) {
            let length = track.duration?.seconds
            guard reference.duration.seconds >= length.map({ $0 * Self.wholeShare }) ?? Self.wholeDuration else {
                continue
            }
            let isAsLong = length.map { abs($0 - reference.duration.seconds) <= Self.sameLength } ?? false
            for item in reference.items.isEmpty ? [MediaItem()] : reference.items {
                let names = [item.serviceID, reference.id.rawValue]
                let isrc = item.isrc.flatMap { MusicIdentifier(.isrc, $0) }
                if names.contains(track.id.rawValue) || isrc.map({ track.identifiers.contains($0) }) ?? false {
                    return true
                }
                for found in try await tracks(of: item, named: reference.id) {
                    if names.contains(found.id.rawValue) {
                        // The same recording on another album.
                        if found.isSameRecording(as: track) { return true }
                    } else if isAsLong, found.id == track.id {
                        return true
                    }
                }
            }
        }
        return false
    }

    /// The share of a track that a reference has to have, and the seconds where nobody knows how long the track is.
    private static let (wholeShare, wholeDuration) = (0.8, 60.0)
    /// The largest difference between two copies of one recording, in seconds.
    private static let sameLength = 5.0

    /// The first part of a signature in which something is found, and where in it that part begins.
    func found(_ signature: Signature) async throws(EarshotError) -> (Match, start: MediaTime)? {
        guard signature.duration > limits.maximum else {
            return try await matching(signature).map { ($0, .zero) }
        }
        guard !signature.isEmpty else {
            throw EarshotError(
                .signatureInvalid,
                "The query has no landmarks: its audio is silent or has no tones that stand out. Check the source."
            )
        }
        for slice in signature.slices(duration: limits.maximum) {
            guard slice.signature.duration >= limits.minimum, !slice.signature.isEmpty else { continue }
            if let match = try await matching(slice.signature) { return (match, slice.offset) }
        }
        return nil
    }

    func placement(of match: ReferenceMatch, _ start: MediaTime) -> ReferencePlacement {
        let placement = match.best.shifted(toPartAt: start)
        // As a service over HTTP tells it, without the score: both answer alike.
        return PlacementRecord(ReferencePlacement(reference: match.id, placement: placement)).value
    }

    /// The tracks that a reference may stand for.
    private func candidates(for reference: ReferenceMatch) async throws(EarshotError) -> [MatchCandidate] {
        try await candidates(of: reference.items(at: nil), named: reference.id)
    }

    /// The tracks that media items of a reference may stand for.
    func candidates(of applying: [MediaItem], named name: ReferenceID) async throws(EarshotError) -> [MatchCandidate] {
        let items = applying.isEmpty ? [MediaItem()] : applying
        var candidates: [MatchCandidate] = []
        for item in items {
            let tracks = try await tracks(of: item, named: name)
            for track in tracks {
                candidates.append(MatchCandidate(track: track, album: try await album(of: track), item: item))
            }
            if tracks.isEmpty { candidates.append(MatchCandidate(item: item)) }
        }
        // What is known in the store says more than a bare item.
        let known = candidates.filter { $0.track != nil }
        return known.isEmpty ? Array(candidates.prefix(1)) : known
    }

    private func tracks(of item: MediaItem, named name: ReferenceID) async throws(EarshotError) -> [Track] {
        guard asksStore else { return [] }
        if let id = item.serviceID, let track = try await music.track(EntityID(id)) { return [track] }
        if let track = try await music.track(EntityID(name.rawValue)) { return [track] }
        if let isrc = item.isrc.flatMap({ MusicIdentifier(.isrc, $0) }) {
            let tracks = try await music.tracks(with: isrc)
            if !tracks.isEmpty { return tracks }
        }
        guard let title = item.title, let artist = item.artist else { return [] }
        let wanted = (SearchText(title).folded, SearchText(artist).folded)
        guard !wanted.0.isEmpty, !wanted.1.isEmpty else { return [] }
        var tracks: [Track] = []
        for hit in try await music.search(MusicQuery(artist: artist, track: title, limit: Self.matchLimit)) {
            guard case .track(let id) = hit.entity, let track = try await music.track(id) else { continue }
            let credits = track.credits.isEmpty ? try await album(of: track)?.credits ?? [] : track.credits
            guard SearchText(track.title.text).folded == wanted.0,
                SearchText(credits.displayName).folded == wanted.1
            else { continue }
            tracks.append(track)
        }
        return tracks
    }

    func album(of track: Track) async throws(EarshotError) -> Album? {
        guard let place = track.place else { return nil }
        return try await music.album(place.album)
    }

    func matches(
        _ candidates: some Sequence<MatchCandidate>,
        _ preferences: ContentPreferences
    ) async throws(EarshotError) -> [MusicMatch] {
        var matches: [MusicMatch] = []
        for candidate in candidates { matches.append(try await match(candidate, preferences)) }
        return matches
    }
}

extension Track {
    /// Returns `true` if identifiers say that both are one recording.
    fileprivate func isSameRecording(as other: Track) -> Bool {
        identifiers.contains { identifier in
            (identifier.scheme == .musicBrainzRecording || identifier.scheme == .isrc)
                && other.identifiers.contains(identifier)
        }
    }
}
