public import EarshotCore
public import EarshotMusic
public import EarshotSignatures
public import Foundation

/// A service that recognizes signatures, searches texts, and returns the metadata of an identifier.
///
/// ``LocalRecognitionService`` answers from a catalog and a store in the same process; a client of a service over HTTP
/// answers in the same way. A query without a match returns an empty list, not an error.
///
/// All functions may be called from any task. Over a network they throw `networkUnavailable`, `clientIdentifierRejected`,
/// `serviceFailure`, `malformedResponse`, `tooManyRequests`, `quotaExceeded` and `timedOut`; all throw `cancelled`.
public protocol RecognitionService: Sendable {
    /// Recognizes a recording.
    ///
    /// - Returns: The best match, or up to ten, best first; empty if nothing matches.
    /// - Throws: `signatureInvalid` for a signature of silence, `signatureDurationInvalid` for one that is too short.
    func recognize(_ query: RecognitionQuery, _ preferences: ContentPreferences) async throws(EarshotError)
        -> [MusicMatch]

    /// Recognizes a recording as ``recognize(_:_:)`` does, and reports the part of the catalog that was searched.
    ///
    /// A service that does not report a part has searched the whole catalog.
    func answer(
        to query: RecognitionQuery,
        _ preferences: ContentPreferences
    ) async throws(EarshotError) -> RecognitionAnswer

    /// Recognizes a broadcast: an entry of an archive, an airing on a channel, or music.
    ///
    /// - Returns: The matches, best first, and their source. A match has a work, an airing or music.
    /// - Throws: The errors of ``recognize(_:_:)``.
    func recognizeBroadcast(_ query: RecognitionQuery, _ preferences: ContentPreferences) async throws(EarshotError)
        -> BroadcastAnswer

    /// The tracks, albums and artists that match a text, best match first.
    func search(_ query: MusicQuery, _ preferences: ContentPreferences) async throws(EarshotError) -> [MusicMatch]

    /// Tracks with these words, the best first.
    func search(_ query: LyricQuery, _ preferences: ContentPreferences) async throws(EarshotError) -> [MusicMatch]

    /// A track, with the requested content; `nil` if it is not known.
    func track(_ id: EntityID<Track>, _ preferences: ContentPreferences) async throws(EarshotError) -> MusicMatch?

    /// An album, with the requested content; `nil` if it is not known.
    func album(_ id: EntityID<Album>, _ preferences: ContentPreferences) async throws(EarshotError) -> MusicMatch?

    /// The bytes that an address of an answer leads to.
    ///
    /// - Returns: The HTTP status with the bytes: 200, or 412 for an address that has expired.
    func content(at address: String) async throws(EarshotError) -> ContentAnswer
}

extension RecognitionService {
    /// Recognizes a recording. Default implementation for a service that always searches its whole catalog.
    public func answer(
        to query: RecognitionQuery,
        _ preferences: ContentPreferences
    ) async throws(EarshotError) -> RecognitionAnswer {
        RecognitionAnswer(matches: try await recognize(query, preferences))
    }

    /// Recognizes a broadcast. Default implementation for a service of music only.
    public func recognizeBroadcast(
        _ query: RecognitionQuery,
        _ preferences: ContentPreferences
    ) async throws(EarshotError) -> BroadcastAnswer {
        let matches = try await recognize(query, preferences).map { BroadcastMatch(music: $0) }
        return BroadcastAnswer(source: matches.isEmpty ? nil : .music, matches: matches)
    }
}

/// A recording that is to be recognized.
public struct RecognitionQuery: Hashable, Sendable {
    /// The position in a track at which a recording may begin.
    public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
        /// Anywhere in a track: from a microphone, a radio.
        case stream
        /// The beginning of the track: a file.
        case file
    }

    /// The recording.
    public var signature: Signature
    /// The position in a track at which the recording may begin.
    public var kind: Kind

    /// A query.
    ///
    /// - Parameters:
    ///   - signature: Of the recording.
    ///   - kind: The position in a track at which the recording may begin.
    public init(_ signature: Signature, kind: Kind = .stream) {
        self.signature = signature
        self.kind = kind
    }
}

/// The response for the address of a picture or text.
public struct ContentAnswer: Hashable, Sendable {
    /// The status in terms of HTTP: 200 with the content, 404 where there is none, 412 for an address that has expired.
    public var status: Int
    /// The type of the bytes, as `image/png` or `application/json`.
    public var mimeType: String
    /// The content.
    public var bytes: Data

    /// An answer.
    public init(status: Int, mimeType: String = "", bytes: Data = Data()) {
        self.status = status
        self.mimeType = mimeType
        self.bytes = bytes
    }
}
