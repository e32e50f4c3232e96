public import EarshotCatalogs
public import EarshotCore
public import EarshotMusic
public import EarshotSignatures

/// A recognition service in this process: a catalog finds signatures, a store knows the music.
///
/// References lead to tracks of the store by the first of these that a track is found with: the media item's `serviceID`, the
/// reference's name, the media item's ISRC, and artist and title that are equal but for case, accents and widths. Where
/// none is found, the answer holds what the media item says.
public struct LocalRecognitionService: RecognitionService {
    /// Looks for a signature of a length that the catalog takes.
    public typealias Matching = @Sendable (Signature) async throws(EarshotError) -> Match?

    /// Returns the references that may be recordings of a track whose artist is this.
    public typealias ReferenceLookup =
        @Sendable (Track, _ artist: String?) async throws(EarshotError) -> [ReferenceSummary]

    /// The most matches that a recognition answers.
    public static let matchLimit = 10
    /// The shortest recording that is recognized as a stream, in seconds.
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
    /// The content that the caller may receive.
    public let entitlements: Set<Entitlement>
    /// The sources for broadcast queries; `nil` for a service of music only.
    public var broadcast: BroadcastSources?
    /// Looks for the references of a track: `{ try catalog.references(ofTrack: $0, artist: $1) }`. With `nil` no claim of a file's
    /// tags is held against the catalog's own recordings.
    public var references: ReferenceLookup?

    /// A service.
    ///
    /// - Parameters:
    ///   - music: The store of music metadata.
    ///   - limits: The shortest and longest signature that `matching` takes.
    ///   - entitlements: The content that the caller may receive.
    ///   - criteria: The criteria by which candidates are ranked.
    ///   - taxonomies: The names of genres, moods and the like.
    ///   - addresses: Makes the addresses of pictures and texts.
    ///   - pictures: Makes pictures of the requested sizes. If `nil`, pictures are sent as stored, and there is no
    ///     genre art.
    ///   - matching: Looks for a signature: `{ try catalog.match($0) }`, on a thread that may be blocked for some
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

    /// The same service with other entitlements.
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

    /// Recognizes a recording. While the store of music cannot be reached, a match says what the media item of its reference does.
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

    /// The tracks that a signature was recognized as.
    package struct RecognizedTracks: Sendable {
        /// The tracks whose recordings are in it, each with how sure that is, from 0 to 1.
        package var tracks: [(track: Track, confidence: Double)] = []
        /// `true` if any reference is in it, also one without a track in the store.
        package var hasMatch = false
    }

    /// The tracks whose recordings are in a signature; nothing of its own where no track of the store stands behind a reference.
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

    /// Returns `true` if the catalog has a recording of the whole of a track, so that a file that is the track is heard
    /// as it.
    ///
    /// An excerpt does not count: a file's beginning may lie outside. Nor does a reference that only has artist and title in common
    /// and another length, such as the studio recording of what the track is a concert's of.
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
