public import EarshotCore
public import Foundation

extension MediaItem {
    /// The title; `nil` if the item has none, as for all properties here.
    public var title: String? { self[.title]?.string }
    /// A second line under the title.
    public var subtitle: String? { self[.subtitle]?.string }
    /// The artist.
    public var artist: String? { self[.artist]?.string }
    /// The title of the album.
    public var album: String? { self[.album]?.string }
    /// The genres; empty if none are known.
    public var genres: [String] { self[.genres]?.array?.compactMap(\.string) ?? [] }
    /// The address of an image.
    public var artworkURL: URL? { url(.artworkURL) }
    /// The address of a video.
    public var videoURL: URL? { url(.videoURL) }
    /// The address of a web page.
    public var webURL: URL? { url(.webURL) }
    /// The International Standard Recording Code.
    public var isrc: String? { self[.isrc]?.string }
    /// `true` if the lyrics are explicit.
    public var isExplicit: Bool? { self[.explicitContent]?.boolean }
    /// The item's identifier in a store.
    public var storeID: String? { self[.storeID]?.string }
    /// The item's address in a store.
    public var storeURL: URL? { url(.storeURL) }
    /// The item's identifier in a recognition service.
    public var serviceID: String? { self[.serviceID]?.string }
    /// The date on which the item was created.
    public var creationDate: Date? { self[.creationDate]?.date }

    /// The parts of the reference that the item describes; empty if it describes all of it.
    public var timeRanges: [Range<MediaTime>] {
        pairs(.timeRanges).map { MediaTime(seconds: $0.lowerBound)..<MediaTime(seconds: $0.upperBound) }
    }

    /// The relative frequency skews at which the item applies; empty if it applies at all.
    public var frequencySkewRanges: [Range<Double>] { pairs(.frequencySkewRanges) }

    private func url(_ key: MediaItemKey) -> URL? {
        self[key]?.string.flatMap { URL(string: $0) }
    }

    private func pairs(_ key: MediaItemKey) -> [Range<Double>] {
        (self[key]?.array ?? []).compactMap { pair in
            guard let pair = pair.array, pair.count == 2, let low = pair[0].real, let high = pair[1].real, low < high
            else { return nil }
            return low..<high
        }
    }
}
