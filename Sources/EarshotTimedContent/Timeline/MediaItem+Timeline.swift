public import EarshotCatalogs
public import EarshotCore

extension MediaItem {
    /// The timeline in the item; `nil` if it has none.
    ///
    /// - Throws: `timelineInvalid`, with the entry, if the value under `MediaItemKey.timeline` is not a timeline.
    public var timeline: Timeline? {
        get throws(EarshotError) {
            guard let value = self[.timeline] else { return nil }
            return try Timeline(propertyValue: value)
        }
    }

    /// Returns a copy of the item with another timeline; `nil` removes it.
    ///
    /// - Throws: `mediaItemInvalid` if the item would exceed the largest size of an item.
    public func with(timeline: Timeline?) throws(EarshotError) -> MediaItem {
        var properties = properties
        properties[.timeline] = timeline?.propertyValue
        return try MediaItem(properties: properties)
    }
}

extension MatchedMediaItem {
    /// The timeline of the matched item; `nil` if it has none.
    ///
    /// - Throws: `timelineInvalid`, with the entry, if the value under `MediaItemKey.timeline` is not a timeline.
    public var timeline: Timeline? {
        get throws(EarshotError) { try item.timeline }
    }
}
