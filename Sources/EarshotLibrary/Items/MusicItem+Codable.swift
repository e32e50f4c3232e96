import EarshotCore
import EarshotMusic
import Foundation

extension MusicItem: Codable {
    private enum CodingKeys: String, CodingKey {
        case id, assetURL, kind, title, artist, album, albumArtist, albumID, composer, genre, discNumber, trackNumber,
            year
        case duration
    }

    /// Decodes an item. An empty text becomes `nil`, and an item without a kind is a song.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        try self.init(
            id: values.decode(ItemID.self, forKey: .id),
            assetURL: values.decodeIfPresent(URL.self, forKey: .assetURL),
            kind: values.decodeIfPresent(MediaKind.self, forKey: .kind) ?? .song,
            title: values.decodeIfPresent(String.self, forKey: .title),
            artist: values.decodeIfPresent(String.self, forKey: .artist),
            album: values.decodeIfPresent(String.self, forKey: .album),
            albumArtist: values.decodeIfPresent(String.self, forKey: .albumArtist),
            albumID: values.decodeIfPresent(EntityID<Album>.self, forKey: .albumID),
            composer: values.decodeIfPresent(String.self, forKey: .composer),
            genre: values.decodeIfPresent(String.self, forKey: .genre),
            discNumber: values.decodeIfPresent(Int.self, forKey: .discNumber),
            trackNumber: values.decodeIfPresent(Int.self, forKey: .trackNumber),
            year: values.decodeIfPresent(Int.self, forKey: .year),
            duration: values.decodeIfPresent(MediaTime.self, forKey: .duration)
        )
    }

    /// Encodes the item, leaving out properties that are `nil`.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(id, forKey: .id)
        try values.encodeIfPresent(assetURL, forKey: .assetURL)
        try values.encode(kind, forKey: .kind)
        try values.encodeIfPresent(title, forKey: .title)
        try values.encodeIfPresent(artist, forKey: .artist)
        try values.encodeIfPresent(album, forKey: .album)
        try values.encodeIfPresent(albumArtist, forKey: .albumArtist)
        try values.encodeIfPresent(albumID, forKey: .albumID)
        try values.encodeIfPresent(composer, forKey: .composer)
        try values.encodeIfPresent(genre, forKey: .genre)
        try values.encodeIfPresent(discNumber, forKey: .discNumber)
        try values.encodeIfPresent(trackNumber, forKey: .trackNumber)
        try values.encodeIfPresent(year, forKey: .year)
        try values.encodeIfPresent(duration, forKey: .duration)
    }
}
