public import EarshotCore

/// A media item together with how it was found. Only a match makes one.
///
/// Two are equal when item and match are, whatever the time and the catalog.
@dynamicMemberLookup
public struct MatchedMediaItem: Sendable {
    /// The item in the catalog.
    public let item: MediaItem
    /// The match of its reference.
    public let match: ReferenceMatch
    /// The catalog that the item comes from.
    public let catalog: CatalogIdentity
    /// The current playback position in the reference.
    public let position: LivePosition

    init(item: MediaItem, match: ReferenceMatch, catalog: CatalogIdentity, position: LivePosition) {
        self.item = item
        self.match = match
        self.catalog = catalog
        self.position = position
    }

    /// The value under a key: of the item, or, for the keys that a match writes, of the match.
    public subscript(key: MediaItemKey) -> PropertyValue? {
        switch key {
        case .matchOffset: .real(match.offset.seconds)
        case .frequencySkew: .real(match.pitchSkew)
        case .confidence: .real(match.confidence)
        default: item[key]
        }
    }

    /// A property of the item.
    public subscript<Value>(dynamicMember path: KeyPath<MediaItem, Value>) -> Value { item[keyPath: path] }

    /// The position in the reference at which the query begins; negative if the query begins before the reference.
    public var matchOffset: MediaTime { match.offset }
    /// The position in the reference now. It advances by itself with the measured speed; a session that still hears the
    /// reference corrects it. Never beyond the reference's end.
    public var predictedCurrentMatchOffset: MediaTime { position.current }
    /// The speed of the query relative to the reference: 0.05 is 5 % fast.
    public var speedSkew: Double { match.speedSkew }
    /// The pitch of the query relative to the reference: 0.05 is 105 Hz for 100 Hz.
    public var frequencySkew: Double { match.pitchSkew }
    /// The confidence of the match, from 0 to 1.
    public var confidence: Double { match.confidence }
}

extension MatchedMediaItem: Hashable {
    /// Returns `true` if item and match are equal.
    public static func == (first: MatchedMediaItem, second: MatchedMediaItem) -> Bool {
        first.item == second.item && first.match == second.match
    }

    /// Feeds item and match into a hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(item)
        hasher.combine(match)
    }
}
