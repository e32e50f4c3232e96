/// The property that a descriptor describes.
public enum DescriptorKind: String, CaseIterable, Sendable, Codable {
    /// The genre of an album or a track.
    case genre
    /// The mood of a track.
    case mood
    /// The tempo of a track.
    case tempo
    /// The origin of an artist.
    case origin
    /// The time in which an artist was or is at work, or music was made.
    case era
    /// The type of an artist: one person, a group, an orchestra.
    case artistType
}
