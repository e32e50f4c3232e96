public import Foundation

/// A change to a store of music.
public enum MusicChange: Hashable, Sendable {
    /// Adds an artist, or replaces the one with the same id.
    case artist(Artist)
    /// Adds an album, or replaces the one with the same id.
    case album(Album)
    /// Adds a track, or replaces the one with the same id.
    case track(Track)
    /// Adds lyrics, or replaces those with the same id.
    case lyrics(Lyrics)
    /// Adds a picture with its bytes, or replaces the one with the same id.
    case picture(Picture, Data)
    /// Removes an artist. Albums and tracks keep its name in their credits.
    case removeArtist(EntityID<Artist>)
    /// Removes an album. Its tracks stay, without a position.
    case removeAlbum(EntityID<Album>)
    /// Removes a track.
    case removeTrack(EntityID<Track>)
    /// Removes lyrics.
    case removeLyrics(EntityID<Lyrics>)
    /// Removes a picture.
    case removePicture(EntityID<Picture>)
    /// Merges the first artist into the second: the first is removed, and its id then leads to the second.
    case mergeArtist(EntityID<Artist>, into: EntityID<Artist>)
    /// Merges the first album into the second, as for artists.
    case mergeAlbum(EntityID<Album>, into: EntityID<Album>)
    /// Merges the first track into the second, as for artists.
    case mergeTrack(EntityID<Track>, into: EntityID<Track>)
    /// The position of a process that can be resumed, such as an import: stored under a name, together with the other
    /// changes of the batch.
    case checkpoint(String, value: String?)
}
