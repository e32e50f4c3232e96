/// Content that a client gets only when the operator of a service lets it have it.
///
/// What a client is not entitled to is left out of its answers; nothing fails for want of it.
public enum Entitlement: String, Hashable, Sendable, Codable, CaseIterable {
    /// Covers, and art that stands for genres.
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
    /// Programmes, channels and what is broadcast when.
    case guide
    /// Identifiers of works, programmes and channels in other catalogs.
    case externalIdentifiers
}
