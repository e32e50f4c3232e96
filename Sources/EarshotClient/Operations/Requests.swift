public import EarshotMusic
public import EarshotRecognition
public import Foundation

/// The object of a search.
public enum SearchRequest: Hashable, Sendable {
    /// Recognizes 6.5 s from the microphone.
    case microphone
    /// Recognizes samples from anywhere in a track: at least 6.5 s, of which the first 15 s are used.
    case stream(PCMBuffer)
    /// Recognizes a file by its first 20 s. It must begin with the track.
    case file(URL)
    /// Recognizes samples by their first 20 s. They must begin with the track.
    case fileSamples(PCMBuffer)
    /// Searches for a fingerprint: up to ten matches.
    case fingerprint(Fingerprint)
    /// Searches by text: artist, album, track, or a text that may be any of them.
    case text(MusicQuery)
    /// Tracks in which these words are sung.
    case lyrics(LyricQuery)
    /// A track whose identifier is known.
    case track(EntityID<Track>)
    /// An album whose identifier is known.
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

/// The audio to make a fingerprint of. No service is asked.
public enum FingerprintRequest: Hashable, Sendable {
    /// Recognizes 6.5 s from the microphone.
    case microphone
    /// Samples: from anywhere in a track and at least 6.5 s, or from its beginning.
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
