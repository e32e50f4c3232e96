public import EarshotCore
public import EarshotMusic
public import EarshotSignatures
public import Foundation

/// A service that recognizes signatures, searches for music by text, and returns metadata by identifier.
///
/// ``LocalRecognitionService`` uses a catalog and a store in the same process; a client of a service over HTTP behaves
/// in the same way. A query without a match returns an empty list, not an error.
///
/// All functions may be called from any task. Over a network they throw `networkUnavailable`,
/// `clientIdentifierRejected`, `serviceFailure`, `malformedResponse`, `tooManyRequests`, `quotaExceeded` and
/// `timedOut`; all throw `cancelled`.
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

    /// Searches for tracks, albums and artists by text, best match first.
    func search(_ query: MusicQuery, _ preferences: ContentPreferences) async throws(EarshotError) -> [MusicMatch]

    /// Searches for tracks by words of their lyrics, best match first.
    func search(_ query: LyricQuery, _ preferences: ContentPreferences) async throws(EarshotError) -> [MusicMatch]

    /// Returns a track, with the requested content; `nil` if it is not known.
    func track(_ id: EntityID<Track>, _ preferences: ContentPreferences) async throws(EarshotError) -> MusicMatch?

    /// Returns an album, with the requested content; `nil` if it is not known.
    func album(_ id: EntityID<Album>, _ preferences: ContentPreferences) async throws(EarshotError) -> MusicMatch?

    /// Returns the content at an address from a match, such as a cover.
    ///
    /// - Returns: The HTTP status and the bytes: 200 with content, 404 if there is none, 412 for an address that has
    ///   expired.
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

/// A recording to recognize.
public struct RecognitionQuery: Hashable, Sendable {
    /// The position in a track at which a recording may begin.
    public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
        /// Anywhere in the track: for a microphone or a radio stream.
        case stream
        /// At the beginning of the track: for a file.
        case file
    }

    /// The signature of the recording.
    public var signature: Signature
    /// The position in a track at which the recording may begin.
    public var kind: Kind

    /// Creates a query.
    ///
    /// - Parameters:
    ///   - signature: The signature of the recording.
    ///   - kind: The position in a track at which the recording may begin.
    public init(_ signature: Signature, kind: Kind = .stream) {
        self.signature = signature
        self.kind = kind
    }
}

/// The response for the address of a picture or text.
public struct ContentAnswer: Hashable, Sendable {
    /// The HTTP status: 200 with content, 404 if there is none, 412 for an address that has expired.
    public var status: Int
    /// The MIME type of the bytes, such as `image/png` or `application/json`; empty if there are none.
    public var mimeType: String
    /// The bytes of the content; empty if there is none.
    public var bytes: Data

    /// Creates a response.
    public init(status: Int, mimeType: String = "", bytes: Data = Data()) {
        self.status = status
        self.mimeType = mimeType
        self.bytes = bytes
    }
}
