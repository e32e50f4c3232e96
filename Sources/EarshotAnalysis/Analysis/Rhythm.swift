public import EarshotCore

/// The tempo of a recording and its beats.
public struct Rhythm: Hashable, Sendable {
    /// The tempo; `nil` for silence, for less than 6 s of audio, and where nothing repeats itself.
    public let tempo: Tempo?
    /// When the beats are heard, in order; none where there is no tempo.
    public let beats: [MediaTime]

    /// A rhythm.
    public init(tempo: Tempo?, beats: [MediaTime]) {
        self.tempo = tempo
        self.beats = beats
    }
}
