/// A kind of content that a client receives only if the operator of the service allows it.
///
/// Content that a client is not entitled to is left out of results, without an error.
public enum Entitlement: String, Hashable, Sendable, Codable, CaseIterable {
    /// Covers, and pictures of genres in place of missing ones.
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
    /// Identifiers of tracks and albums in other catalogs.
    case links
    /// Full records of films, episodes and other works.
    case works
    /// The broadcast guide: programs, channels and airings.
    case guide
    /// Identifiers of works, programs and channels in other catalogs.
    case externalIdentifiers
}
