/// Tips for a user whose music was not recognized: a different one after each failure.
///
/// ```swift
/// var hints = HelpHints()
/// show(hints.next().text)                  // after a failure
/// show(hints.tip(for: .humming).text)      // when the user says what was played
/// ```
public struct HelpHints: Hashable, Sendable {
    /// A tip that can be shown to the user.
    public enum Tip: String, Hashable, Sendable, CaseIterable {
        /// Hold the device toward the source of the music.
        case holdTowardsSource
        /// Move nearer to the music, or turn it up.
        case louder
        /// Keep still until the recording is over.
        case wholeRecording
        /// Record when nobody speaks.
        case lessSpeech
        /// Only published recordings can be recognized.
        case publishedRecordings
        /// Do not cover the microphone.
        case uncoverMicrophone
        /// Try again when the music has begun, after an intro.
        case waitForMusic
        /// Choose a file on the device instead of recording it.
        case useFile

        /// The text of the tip for the user, in English.
        public var text: String {
            switch self {
            case .holdTowardsSource: "Hold the device towards the source of the music, such as the loudspeaker."
            case .louder: "Go nearer to the music, or turn it up: it was too quiet."
            case .wholeRecording: "Keep the device still until the recording is over: it takes about seven seconds."
            case .lessSpeech: "Choose a moment when nobody speaks: speech covers the music."
            case .publishedRecordings:
                "Only published recordings are known: humming, singing, whistling and live music are not found."
            case .uncoverMicrophone: "Keep fingers and sleeves off the microphone."
            case .waitForMusic: "Try again a little later in the track: silence and noise tell nothing."
            case .useFile: "If the music is a file on this device, choose the file: that is faster than recording it."
            }
        }
    }

    /// A kind of audio that a user may have tried to recognize.
    public enum Sought: String, Hashable, Sendable, CaseIterable {
        /// Music from a loudspeaker or a radio.
        case recording
        /// Humming or whistling.
        case humming
        /// Singing by the user or somebody near.
        case singing
        /// A live performance.
        case liveMusic
        /// Speech.
        case speech
        /// Quiet audio.
        case quiet
        /// A recording that was too short.
        case short
        /// Audio in a file on the device.
        case file
    }

    private var shown: [Tip] = []

    /// Creates hints of which none has been shown.
    public init() {}

    /// Returns the next tip that was not shown yet. After the last one it starts again.
    public mutating func next() -> Tip {
        if shown.count == Tip.allCases.count { shown = [] }
        let tip = Tip.allCases.first { !shown.contains($0) } ?? .holdTowardsSource
        shown.append(tip)
        return tip
    }

    /// Returns the tip for a kind of audio. It does not count as shown.
    public func tip(for sought: Sought) -> Tip {
        switch sought {
        case .recording: .holdTowardsSource
        case .humming, .singing, .liveMusic: .publishedRecordings
        case .speech: .lessSpeech
        case .quiet: .louder
        case .short: .wholeRecording
        case .file: .useFile
        }
    }
}
