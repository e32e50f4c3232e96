/// The kind of an operation.
public enum OperationKind: String, Hashable, Sendable, Codable, CaseIterable {
    /// Recognizes what the microphone hears.
    case streamFromMicrophone
    /// Recognizes samples from anywhere in a track.
    case streamFromSamples
    /// Recognizes a file.
    case fileFromURL
    /// Recognizes samples from the beginning of a track.
    case fileFromSamples
    /// Makes a fingerprint of audio from the microphone.
    case fingerprintFromMicrophone
    /// Makes a fingerprint of samples.
    case fingerprintFromSamples
    /// Makes a fingerprint of a file.
    case fingerprintFromFile
    /// Finds what a fingerprint is of.
    case fingerprintSearch
    /// Finds tracks and albums by text.
    case textSearch
    /// Finds tracks by words that are sung in them.
    case lyricSearch
    /// Fetches the metadata of a track.
    case track
    /// Fetches the metadata of an album.
    case album

    /// The phases of an operation that goes well, in order.
    public var phases: [OperationPhase] {
        switch self {
        case .streamFromMicrophone: [.recording, .fingerprinting, .querying, .done]
        case .streamFromSamples, .fileFromURL, .fileFromSamples: [.fingerprinting, .querying, .done]
        case .fingerprintFromMicrophone: [.recording, .fingerprinting, .done]
        case .fingerprintFromSamples, .fingerprintFromFile: [.fingerprinting, .done]
        case .fingerprintSearch, .textSearch, .lyricSearch, .track, .album: [.querying, .done]
        }
    }

    /// `true` if a match of the operation belongs in a history: audio was recognized, not looked up.
    public var isKeptInHistory: Bool {
        self == .streamFromMicrophone || self == .streamFromSamples || self == .fingerprintSearch
    }

    /// `true` if it records.
    var records: Bool { phases.first == .recording }
}

/// The phase of an operation. Phases come in this order; an operation skips those that it does not need.
public enum OperationPhase: String, Hashable, Sendable, Codable, CaseIterable, Comparable {
    /// The microphone records; the only phase whose length is known.
    case recording
    /// Audio is made into a fingerprint.
    case fingerprinting
    /// The service is asked.
    case querying
    /// The result follows.
    case done

    private var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    /// In order of time.
    public static func < (left: OperationPhase, right: OperationPhase) -> Bool { left.place < right.place }
}

/// The progress of an operation.
public struct OperationStatus: Hashable, Sendable, Codable {
    /// The current phase.
    public let phase: OperationPhase
    /// The part of the recording that is done, in percent: 10, 20, … 100. `nil` in other phases, whose duration is not
    /// known.
    public let percent: Int?
    /// The same in words, in English, for technical staff.
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
