/// The kind of a stretch of audio.
public enum AudioKind: String, Hashable, Sendable, Codable, CaseIterable {
    /// Nothing is heard.
    case silence
    /// Music, sung or played; also with somebody speaking over it.
    case music
    /// Somebody speaks.
    case speech
    /// Anything else that is heard: weather, streets, machines, crowds.
    case noise
}
