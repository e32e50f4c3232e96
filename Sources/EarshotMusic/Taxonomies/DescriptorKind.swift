/// What a descriptor says something about.
public enum DescriptorKind: String, CaseIterable, Sendable, Codable {
    /// The genre of an album or a track.
    case genre
    /// The mood of a track.
    case mood
    /// How fast a track is.
    case tempo
    /// Where an artist comes from.
    case origin
    /// The time in which an artist was or is at work, or music was made.
    case era
    /// Who makes the music: one person, a group, an orchestra.
    case artistType
}
