/// The kind of an operation of ``RecognitionClient``.
public enum OperationKind: String, Hashable, Sendable, Codable, CaseIterable {
    /// Recognizes audio from the microphone.
    case streamFromMicrophone
    /// Recognizes samples that may begin anywhere in a track.
    case streamFromSamples
    /// Recognizes a file.
    case fileFromURL
    /// Recognizes samples that begin with the track.
    case fileFromSamples
    /// Makes a fingerprint of audio from the microphone.
    case fingerprintFromMicrophone
    /// Makes a fingerprint of samples.
    case fingerprintFromSamples
    /// Makes a fingerprint of a file.
    case fingerprintFromFile
    /// Searches for the recording of a fingerprint.
    case fingerprintSearch
    /// Searches for tracks, albums and artists by text.
    case textSearch
    /// Searches for tracks by words of their lyrics.
    case lyricSearch
    /// Fetches the metadata of a track by its identifier.
    case track
    /// Fetches the metadata of an album by its identifier.
    case album

    /// The phases of an operation that succeeds, in order.
    public var phases: [OperationPhase] {
        switch self {
        case .streamFromMicrophone: [.recording, .fingerprinting, .querying, .done]
        case .streamFromSamples, .fileFromURL, .fileFromSamples: [.fingerprinting, .querying, .done]
        case .fingerprintFromMicrophone: [.recording, .fingerprinting, .done]
        case .fingerprintFromSamples, .fingerprintFromFile: [.fingerprinting, .done]
        case .fingerprintSearch, .textSearch, .lyricSearch, .track, .album: [.querying, .done]
        }
    }

    /// `true` if the match of such an operation belongs in the user's history: for recognitions from the microphone or
    /// stream samples, and searches by fingerprint.
    public var isKeptInHistory: Bool {
        self == .streamFromMicrophone || self == .streamFromSamples || self == .fingerprintSearch
    }

    /// `true` if it records.
    var records: Bool { phases.first == .recording }
}

/// The phase of an operation. Phases come in this order; an operation skips those that it does not need.
public enum OperationPhase: String, Hashable, Sendable, Codable, CaseIterable, Comparable {
    /// Audio is recorded from the microphone; the only phase whose duration is known.
    case recording
    /// A fingerprint is computed from the audio.
    case fingerprinting
    /// The service processes the request.
    case querying
    /// The operation succeeded; its result follows.
    case done

    private var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    /// Returns `true` if the left phase comes before the right one.
    public static func < (left: OperationPhase, right: OperationPhase) -> Bool { left.place < right.place }
}

/// The progress of an operation.
public struct OperationStatus: Hashable, Sendable, Codable {
    /// The current phase of the operation.
    public let phase: OperationPhase
    /// The recorded share of the recording, in percent: 10, 20, … 100. `nil` in other phases, whose duration is not
    /// known.
    public let percent: Int?
    /// The status as an English sentence, for technical staff.
    public let message: String

    init(_ phase: OperationPhase, percent: Int? = nil) {
        self.phase = phase
        self.percent = percent
        message =
            switch phase {
            case .recording: "Recording, \(percent ?? 0) % done."
            case .fingerprinting: "Making a fingerprint."
            case .querying: "Asking the service."
            case .done: "Done."
            }
    }
}
