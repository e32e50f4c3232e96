/// Content that a client gets only when the operator of a service lets it have it.
///
/// Content that a client is not entitled to is left out of its answers, without an error.
public enum Entitlement: String, Hashable, Sendable, Codable, CaseIterable {
    /// Covers and genre art.
    case coverArt
    /// Pictures of artists.
    case artistImages
    /// Biographies of artists.
    case biographies
    /// Reviews of albums.
    case reviews
    /// Moods of tracks.
    case mood
    /// Tempos of tracks.
    case tempo
    /// Identifiers in other catalogs.
    case links
    /// Full records of films, episodes and other works.
    case works
    /// Programs, channels and the times of broadcasts.
    case guide
    /// Identifiers of works, programmes and channels in other catalogs.
    case externalIdentifiers
}
