public import EarshotMusic
public import EarshotRecognition
public import Foundation

/// What an operation is to find.
public enum SearchRequest: Hashable, Sendable {
    /// What the microphone hears now: 6.5 s of it.
    case microphone
    /// What these samples are, from anywhere in a track: at least 6.5 s, of which the first 15 s are used.
    case stream(PCMBuffer)
    /// What a file is, by its first 20 s. It must begin where the track begins.
    case file(URL)
    /// What these samples are, by their first 20 s. They must begin where the track begins.
    case fileSamples(PCMBuffer)
    /// What a fingerprint is of: up to ten matches.
    case fingerprint(Fingerprint)
    /// What fits a text: any of artist, album and track, or all in one.
    case text(MusicQuery)
    /// Tracks in which these words are sung.
    case lyrics(LyricQuery)
    /// A track whose identifier is known.
    case track(EntityID<Track>)
    /// An album whose identifier is known.
    case album(EntityID<Album>)

    /// What an operation of this does.
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

/// What an operation is to make a fingerprint of. No service is asked.
public enum FingerprintRequest: Hashable, Sendable {
    /// What the microphone hears now: 6.5 s of it.
    case microphone
    /// Samples: from anywhere in a track and at least 6.5 s, or from its beginning.
    case samples(PCMBuffer, RecognitionQuery.Kind)
    /// The first 20 s of a file that begins where the track begins.
    case file(URL)

    /// What an operation of this does.
    public var kind: OperationKind {
        switch self {
        case .microphone: .fingerprintFromMicrophone
        case .samples: .fingerprintFromSamples
        case .file: .fingerprintFromFile
        }
    }
}
