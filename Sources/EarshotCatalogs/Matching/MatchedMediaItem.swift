public import EarshotCore

/// A media item together with how it was found. Only a match makes one.
@dynamicMemberLookup
public struct MatchedMediaItem: Hashable, Sendable {
    /// The item as it stands in the catalog.
    public let item: MediaItem
    /// How its reference was found.
    public let match: ReferenceMatch

    init(item: MediaItem, match: ReferenceMatch) {
        self.item = item
        self.match = match
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

    /// Where in the reference the query begins; below zero when it begins before the reference does.
    public var matchOffset: MediaTime { match.offset }
    /// How much higher the query sounds than the reference: 0.05 is 105 Hz for 100 Hz.
    public var frequencySkew: Double { match.pitchSkew }
    /// How sure the match is, from 0 to 1.
    public var confidence: Double { match.confidence }
}
