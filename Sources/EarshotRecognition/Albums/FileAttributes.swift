public import EarshotCore
public import EarshotMusic
public import EarshotSignatures
import Foundation

/// The attributes of one file of a collection. Only the identifier is required; decisions contain it.
public struct FileAttributes: Hashable, Sendable {
    /// The identifier of the file in decisions, unique within the query, such as its path.
    public var id: String
    /// The names of the file's folders within the collection and its file name: `["Artist", "Album", "03 Title.flac"]`.
    public var path: [String] = []
    /// The signature of the beginning of the audio; `nil` if not computed.
    public var signature: Signature?
    /// The Chromaprint fingerprint of the whole file, in its compressed form; `nil` if not computed.
    public var fingerprint: String?
    /// The duration of the file; `nil` if unknown.
    public var duration: MediaTime?
    /// The artist according to the tags; `nil` if missing.
    public var artist: String?
    /// The album artist according to the tags; `nil` if missing.
    public var albumArtist: String?
    /// The title of the album according to the tags; `nil` if missing.
    public var album: String?
    /// The title of the track according to the tags; `nil` if missing.
    public var title: String?
    /// The track number on its disc, from 1; `nil` if missing.
    public var trackNumber: Int?
    /// The number of tracks on the disc; `nil` if missing.
    public var trackCount: Int?
    /// The disc number in a set of discs, from 1; `nil` if missing.
    public var discNumber: Int?
    /// The number of discs of the album; `nil` if missing.
    public var discCount: Int?
    /// The date of publication according to the tags; `nil` if missing.
    public var date: PartialDate?
    /// The genre as written in the tags; `nil` if missing.
    public var genre: String?
    /// `true` if the tags mark the album as a compilation of tracks by many artists.
    public var isCompilation = false
    /// The identifier of the track from an earlier decision; `nil` if there is none.
    public var trackID: EntityID<Track>?
    /// The identifier of the album from an earlier decision; `nil` if there is none.
    public var albumID: EntityID<Album>?
    /// Music identifiers in the file, such as ISRC or MusicBrainz identifiers.
    public var identifiers: Set<MusicIdentifier> = []

    /// Creates attributes with the identifier only.
    public init(id: String) {
        self.id = id
    }

    /// Returns a copy with only the attributes that belong to the given evidence.
    public func limited(to evidence: AlbumEvidence) -> FileAttributes {
        var limited = self
        if !evidence.contains(.sound) { limited.signature = nil }
        if !evidence.contains(.fingerprints) { limited.fingerprint = nil }
        if !evidence.contains(.tags) {
            (limited.artist, limited.albumArtist, limited.album, limited.title, limited.genre) = (
                nil, nil, nil, nil, nil
            )
            (limited.trackNumber, limited.trackCount, limited.discNumber, limited.discCount) = (nil, nil, nil, nil)
            (limited.date, limited.isCompilation) = (nil, false)
        }
        if !evidence.contains(.identifiers) {
            (limited.trackID, limited.albumID, limited.identifiers) = (nil, nil, [])
        }
        if !evidence.contains(.names) { limited.path = [] }
        return limited
    }

    // MARK: - Bounds

    /// The most characters of a text that are looked at, in Unicode scalars.
    private static let longestText = 500
    /// The most folders of a path that are looked at, those next to the file.
    private static let deepestPath = 8
    /// The most identifiers that are looked at.
    private static let mostIdentifiers = 64
    /// The largest number of a track or a medium.
    private static let largestNumber = 100_000
    /// The part of a signature that is used.
    private static let longestSignature = MediaTime(value: 60, timescale: 1)
    /// The longest fingerprint in its compressed form, in bytes: some hours of sound.
    private static let longestFingerprint = 1 << 18

    /// A copy with limited lengths, so that processing untrusted attributes takes limited time.
    package var bounded: FileAttributes {
        func text(_ text: String?) -> String? {
            text.map { $0.utf8.count <= Self.longestText ? $0 : String($0.unicodeScalars.prefix(Self.longestText)) }
        }
        func number(_ number: Int?) -> Int? { number.flatMap { (1...Self.largestNumber).contains($0) ? $0 : nil } }
        var bounded = self
        bounded.path = path.suffix(Self.deepestPath).compactMap { text($0) }
        (bounded.artist, bounded.albumArtist, bounded.album) = (text(artist), text(albumArtist), text(album))
        (bounded.title, bounded.genre) = (text(title), text(genre))
        (bounded.trackNumber, bounded.trackCount) = (number(trackNumber), number(trackCount))
        (bounded.discNumber, bounded.discCount) = (number(discNumber), number(discCount))
        if let signature, signature.duration > Self.longestSignature {
            bounded.signature = signature.slice(from: .zero, duration: Self.longestSignature).signature
        }
        if fingerprint?.utf8.count ?? 0 > Self.longestFingerprint { bounded.fingerprint = nil }
        if let duration, !duration.isNumeric || duration <= .zero { bounded.duration = nil }
        if identifiers.count > Self.mostIdentifiers {
            bounded.identifiers = Set(
                identifiers.sorted { $0.description < $1.description }.prefix(Self.mostIdentifiers)
            )
        }
        return bounded
    }
}

extension FileAttributes: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, path, signature, fingerprint, duration, artist, albumArtist, album, title, trackNumber, trackCount
        case discNumber, discCount, date, genre, isCompilation, trackID, albumID, identifiers
    }

    /// Decodes what ``encode(to:)`` encodes. Identifiers of an unknown scheme are ignored.
    ///
    /// - Throws: `DecodingError`, also for a damaged signature.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        id = try values.decode(String.self, forKey: .id)
        path = try values.decodeIfPresent([String].self, forKey: .path) ?? []
        if let bytes = try values.decodeIfPresent(Data.self, forKey: .signature) {
            do {
                signature = try Signature(data: bytes)
            } catch {
                throw DecodingError.dataCorruptedError(
                    forKey: .signature,
                    in: values,
                    debugDescription: "The signature of \(id.prefix(80)) cannot be read: \(error.message)"
                )
            }
        }
        fingerprint = try values.decodeIfPresent(String.self, forKey: .fingerprint)
        duration = try values.decodeIfPresent(Double.self, forKey: .duration)
            .flatMap { $0.isFinite && $0 > 0 && $0 < 1e7 ? MediaTime(seconds: $0, preferredTimescale: 1_000) : nil }
        artist = try values.decodeIfPresent(String.self, forKey: .artist)
        albumArtist = try values.decodeIfPresent(String.self, forKey: .albumArtist)
        album = try values.decodeIfPresent(String.self, forKey: .album)
        title = try values.decodeIfPresent(String.self, forKey: .title)
        trackNumber = try values.decodeIfPresent(Int.self, forKey: .trackNumber)
        trackCount = try values.decodeIfPresent(Int.self, forKey: .trackCount)
        discNumber = try values.decodeIfPresent(Int.self, forKey: .discNumber)
        discCount = try values.decodeIfPresent(Int.self, forKey: .discCount)
        date = try values.decodeIfPresent(String.self, forKey: .date).flatMap { PartialDate($0) }
        genre = try values.decodeIfPresent(String.self, forKey: .genre)
        isCompilation = try values.decodeIfPresent(Bool.self, forKey: .isCompilation) ?? false
        trackID = try values.decodeIfPresent(EntityID<Track>.self, forKey: .trackID)
        albumID = try values.decodeIfPresent(EntityID<Album>.self, forKey: .albumID)
        identifiers = Set(
            (try values.decodeIfPresent([String].self, forKey: .identifiers) ?? []).compactMap { text in
                let parts = text.split(separator: ":", maxSplits: 1)
                guard parts.count == 2, let scheme = MusicIdentifier.Scheme(rawValue: String(parts[0])) else {
                    return nil
                }
                return MusicIdentifier(scheme, parts[1])
            }
        )
    }

    /// Encodes the known attributes: the signature as the bytes of its file, the duration in seconds.
    ///
    /// - Throws: The encoder's errors.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(id, forKey: .id)
        if !path.isEmpty { try values.encode(path, forKey: .path) }
        try values.encodeIfPresent(signature?.data, forKey: .signature)
        try values.encodeIfPresent(fingerprint, forKey: .fingerprint)
        try values.encodeIfPresent(duration.flatMap { $0.isNumeric ? $0.seconds : nil }, forKey: .duration)
        try values.encodeIfPresent(artist, forKey: .artist)
        try values.encodeIfPresent(albumArtist, forKey: .albumArtist)
        try values.encodeIfPresent(album, forKey: .album)
        try values.encodeIfPresent(title, forKey: .title)
        try values.encodeIfPresent(trackNumber, forKey: .trackNumber)
        try values.encodeIfPresent(trackCount, forKey: .trackCount)
        try values.encodeIfPresent(discNumber, forKey: .discNumber)
        try values.encodeIfPresent(discCount, forKey: .discCount)
        try values.encodeIfPresent(date, forKey: .date)
        try values.encodeIfPresent(genre, forKey: .genre)
        if isCompilation { try values.encode(true, forKey: .isCompilation) }
        try values.encodeIfPresent(trackID, forKey: .trackID)
        try values.encodeIfPresent(albumID, forKey: .albumID)
        if !identifiers.isEmpty { try values.encode(identifiers.map(\.description).sorted(), forKey: .identifiers) }
    }
}
