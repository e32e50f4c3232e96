/// Tips for a user whose music was not recognized: a different one after each failure.
///
/// ```swift
/// var hints = HelpHints()
/// show(hints.next().text)                  // after a failure
/// show(hints.tip(for: .humming).text)      // when the user says what was sought
/// ```
public struct HelpHints: Hashable, Sendable {
    /// A tip.
    public enum Tip: String, Hashable, Sendable, CaseIterable {
        /// Hold the device towards the source.
        case holdTowardsSource
        /// Come nearer, or have it louder.
        case louder
        /// Keep still for the whole recording.
        case wholeRecording
        /// Choose a place without speech.
        case lessSpeech
        /// Only published recordings are known.
        case publishedRecordings
        /// Do not cover the microphone.
        case uncoverMicrophone
        /// Wait for music behind an intro.
        case waitForMusic
        /// A file is better given as a file.
        case useFile

        /// The text for the user, in English.
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
        /// Somebody hummed or whistled.
        case humming
        /// Somebody sang.
        case singing
        /// A concert.
        case liveMusic
        /// Somebody spoke.
        case speech
        /// Something quiet.
        case quiet
        /// Something short.
        case short
        /// A file.
        case file
    }

    private var shown: [Tip] = []

    /// Hints of which none was shown.
    public init() {}

    /// Returns the next tip that was not shown yet; after the last one it begins again.
    public mutating func next() -> Tip {
        if shown.count == Tip.allCases.count { shown = [] }
        let tip = Tip.allCases.first { !shown.contains($0) } ?? .holdTowardsSource
        shown.append(tip)
        return tip
    }

    /// The tip for a kind of audio.
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
