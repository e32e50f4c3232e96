public import EarshotMusic
public import EarshotRecognition
public import Foundation

/// A request to recognize, search for or fetch music.
public enum SearchRequest: Hashable, Sendable {
    /// Recognizes 6.5 s from the microphone.
    case microphone
    /// Recognizes samples from anywhere in a track: at least 6.5 s, of which the first 15 s are used.
    case stream(PCMBuffer)
    /// Recognizes a file by its first 20 s. It must begin with the track.
    case file(URL)
    /// Recognizes samples by their first 20 s. They must begin with the track.
    case fileSamples(PCMBuffer)
    /// Searches for a stored fingerprint and returns up to ten matches.
    case fingerprint(Fingerprint)
    /// Searches by text: artist, album, track, or a text that may be any of them.
    case text(MusicQuery)
    /// Searches for tracks by words of their lyrics.
    case lyrics(LyricQuery)
    /// Fetches a track by its identifier.
    case track(EntityID<Track>)
    /// Fetches an album by its identifier.
    case album(EntityID<Album>)

    /// The kind of operation of this request.
    public var kind: OperationKind {
        switch self {
        case .microphone: .streamFromMicrophone
        case .stream: .streamFromSamples
        case .file: .fileFromURL
        case .fileSamples: .fileFromSamples
        case .fingerprint: .fingerprintSearch
        case .text: .textSearch
        case .lyrics: .lyricSearch
        case .track: .track
        case .album: .album
        }
    }
}

/// The audio to make a fingerprint of, without a request to the service.
public enum FingerprintRequest: Hashable, Sendable {
    /// Records 6.5 s from the microphone.
    case microphone
    /// Samples of the given kind: `stream` for at least 6.5 s from anywhere in a track, `file` for samples that begin
    /// with it.
    case samples(PCMBuffer, RecognitionQuery.Kind)
    /// The first 20 s of a file that begins where the track begins.
    case file(URL)

    /// The kind of operation of this request.
    public var kind: OperationKind {
        switch self {
        case .microphone: .fingerprintFromMicrophone
        case .samples: .fingerprintFromSamples
        case .file: .fingerprintFromFile
        }
    }
}
