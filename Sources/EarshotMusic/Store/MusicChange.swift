public import Foundation

/// One change to what a store knows.
public enum MusicChange: Hashable, Sendable {
    /// An artist, new or in place of the one of the same id; likewise the others.
    case artist(Artist)
    /// An album.
    case album(Album)
    /// A track.
    case track(Track)
    /// The words of a track.
    case lyrics(Lyrics)
    /// A picture with its bytes.
    case picture(Picture, Data)
    /// An artist is gone. What is credited to it keeps the name.
    case removeArtist(EntityID<Artist>)
    /// An album is gone, and the places of its tracks with it.
    case removeAlbum(EntityID<Album>)
    /// A track is gone.
    case removeTrack(EntityID<Track>)
    /// Words are gone.
    case removeLyrics(EntityID<Lyrics>)
    /// A picture is gone.
    case removePicture(EntityID<Picture>)
    /// Two artists turned out to be one: the first is gone, and its id leads to the second from now on. Likewise the others.
    case mergeArtist(EntityID<Artist>, into: EntityID<Artist>)
    /// Two albums turned out to be one.
    case mergeAlbum(EntityID<Album>, into: EntityID<Album>)
    /// Two tracks turned out to be one.
    case mergeTrack(EntityID<Track>, into: EntityID<Track>)
    /// The position of a process that can be resumed, such as an import: stored under a name, together with the other
    /// changes of the batch.
    case checkpoint(String, value: String?)
}
