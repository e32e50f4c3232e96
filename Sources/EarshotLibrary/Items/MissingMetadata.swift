/// The fields that an item lacks. Only absence counts: a text in any script is present.
package struct MissingMetadata: Hashable, Sendable, Codable {
    /// A property that an item may lack.
    package enum Field: String, Hashable, Sendable, Codable, CaseIterable {
        /// The title.
        case title
        /// The artist.
        case artist
        /// The title of the album.
        case album
        /// The album artist.
        case albumArtist
        /// The composer.
        case composer
        /// The genre.
        case genre
        /// The number of the disc in its set.
        case discNumber
        /// The track's number on its disc.
        case trackNumber
        /// The year of publication.
        case year
        /// The duration.
        case duration

        /// Returns `true` if an item lacks this property.
        package func isMissing(in item: MusicItem) -> Bool {
            switch self {
            case .title: item.title == nil
            case .artist: item.artist == nil
            case .album: item.album == nil
            case .albumArtist: item.albumArtist == nil
            case .composer: item.composer == nil
            case .genre: item.genre == nil
            case .discNumber: item.discNumber == nil
            case .trackNumber: item.trackNumber == nil
            case .year: item.year == nil
            case .duration: item.duration == nil
            }
        }
    }

    /// The fields without which an item is hard to find.
    package static let usualFields: Set<Field> = [.title, .artist, .album]

    /// The item.
    package let item: ItemID
    /// The missing fields, in the order of ``Field``; never empty.
    package let fields: [Field]

    /// Lists the wanted fields that an item lacks; `nil` if it has them all.
    ///
    /// - Parameters:
    ///   - item: The item.
    ///   - wanted: The fields to check.
    package init?(_ item: MusicItem, wanted: Set<Field> = usualFields) {
        fields = Field.allCases.filter { wanted.contains($0) && $0.isMissing(in: item) }
        self.item = item.id
        if fields.isEmpty { return nil }
    }

    /// Returns the missing fields of each item that lacks any, in the order of the items.
    ///
    /// - Parameters:
    ///   - items: The items.
    ///   - wanted: The fields to check.
    package static func report(
        on items: some Sequence<MusicItem>,
        wanted: Set<Field> = usualFields
    ) -> [MissingMetadata] {
        items.compactMap { MissingMetadata($0, wanted: wanted) }
    }
}
