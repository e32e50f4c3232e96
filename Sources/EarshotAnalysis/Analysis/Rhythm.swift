public import EarshotCore

/// The tempo of a recording and its beats.
public struct Rhythm: Hashable, Sendable {
    /// The tempo; `nil` for silence, for less than 6 s of audio, and for audio without repetition.
    public let tempo: Tempo?
    /// The times of the beats, in order; empty without a tempo.
    public let beats: [MediaTime]

    /// Creates a rhythm.
    public init(tempo: Tempo?, beats: [MediaTime]) {
        self.tempo = tempo
        self.beats = beats
    }
}
