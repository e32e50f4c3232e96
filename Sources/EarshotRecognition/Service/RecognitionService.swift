public import EarshotCore
public import EarshotMusic
public import EarshotSignatures
public import Foundation

/// Somebody who knows music: recognizes signatures, searches texts, and tells what belongs to an identifier.
///
/// ``LocalRecognitionService`` answers from a catalog and a store in the same process; a client of a service over HTTP
/// answers in the same way. Nothing found is an empty list, never an error.
///
/// All functions may be called from any task. Over a network they throw `networkUnavailable`, `clientIdentifierRejected`,
/// `serviceFailure`, `malformedResponse`, `tooManyRequests`, `quotaExceeded` and `timedOut`; all throw `cancelled`.
public protocol RecognitionService: Sendable {
    /// What a recording is.
    ///
    /// - Returns: The best match, or up to ten, best first; none when nothing is known that fits.
    /// - Throws: `signatureInvalid` for a signature of silence, `signatureDurationInvalid` for one that is too short.
    func recognize(_ query: RecognitionQuery, _ preferences: ContentPreferences) async throws(EarshotError)
        -> [MusicMatch]

    /// What a recording is, as ``recognize(_:_:)``, and the part of the catalog that was searched.
    ///
    /// A service that tells nothing of that has searched all.
    func answer(
        to query: RecognitionQuery,
        _ preferences: ContentPreferences
    ) async throws(EarshotError) -> RecognitionAnswer

    /// What is on: an entry of an archive, a broadcast of a channel, or music.
    ///
    /// - Returns: Where something was found, and what, the best first. A match holds a work, an airing or music.
    /// - Throws: As for ``recognize(_:_:)``.
    func recognizeBroadcast(_ query: RecognitionQuery, _ preferences: ContentPreferences) async throws(EarshotError)
        -> BroadcastAnswer

    /// What fits a text, the best first.
    func search(_ query: MusicQuery, _ preferences: ContentPreferences) async throws(EarshotError) -> [MusicMatch]

    /// Tracks with these words, the best first.
    func search(_ query: LyricQuery, _ preferences: ContentPreferences) async throws(EarshotError) -> [MusicMatch]

    /// A track, with all that is asked for of what belongs to it; `nil` if it is not known.
    func track(_ id: EntityID<Track>, _ preferences: ContentPreferences) async throws(EarshotError) -> MusicMatch?

    /// An album, with all that is asked for of what belongs to it; `nil` if it is not known.
    func album(_ id: EntityID<Album>, _ preferences: ContentPreferences) async throws(EarshotError) -> MusicMatch?

    /// The bytes that an address of an answer leads to.
    ///
    /// - Returns: What was answered, an HTTP status included: 200 with the bytes, 412 for an address that has expired.
    func content(at address: String) async throws(EarshotError) -> ContentAnswer
}

extension RecognitionService {
    /// What a recording is, of a service that searches all of its catalog.
    public func answer(
        to query: RecognitionQuery,
        _ preferences: ContentPreferences
    ) async throws(EarshotError) -> RecognitionAnswer {
        RecognitionAnswer(matches: try await recognize(query, preferences))
    }

    /// What is on, of a service that knows music only.
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
    /// Where a recording begins.
    public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
        /// Anywhere in a track: from a microphone, a radio.
        case stream
        /// At the begin of the track: a file.
        case file
    }

    /// The recording.
    public var signature: Signature
    /// Where it begins.
    public var kind: Kind

    /// A query.
    ///
    /// - Parameters:
    ///   - signature: Of the recording.
    ///   - kind: Where it begins.
    public init(_ signature: Signature, kind: Kind = .stream) {
        self.signature = signature
        self.kind = kind
    }
}

/// What the address of a picture or a text led to.
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
