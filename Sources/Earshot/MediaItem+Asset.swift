public import EarshotCatalogs
public import EarshotMedia
import Foundation

extension MediaItem {
    /// Creates a media item from the tags of a file: title, artist, album, genres, ISRC.
    ///
    /// Without a title tag, the title is the file name without its extension. The item is empty if the tags exceed the
    /// largest size of an item.
    public init(_ asset: Asset) {
        var properties: [MediaItemKey: PropertyValue] = [:]
        let tags = asset.tags
        let name = asset.url.deletingPathExtension().lastPathComponent
        properties[.title] = .string(tags.title ?? name)
        if let artist = tags.artist ?? tags.albumArtist { properties[.artist] = .string(artist) }
        if let album = tags.album { properties[.album] = .string(album) }
        if let isrc = tags.isrc { properties[.isrc] = .string(isrc) }
        if let genre = tags.genre {
            let genres = genre.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
            properties[.genres] = .array(genres.filter { !$0.isEmpty }.map { .string($0) })
        }
        // Text of a file's tags is always admissible, unless someone stored a megabyte of it.
        self = (try? MediaItem(properties: properties)) ?? MediaItem()
    }
}
