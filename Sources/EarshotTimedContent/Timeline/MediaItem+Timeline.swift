public import EarshotCatalogs
public import EarshotCore

extension MediaItem {
    /// The timed content that the item brings with it; `nil` if it has none.
    ///
    /// - Throws: `timelineInvalid`, with the entry, if the value under `MediaItemKey.timeline` is not a timeline.
    public var timeline: Timeline? {
        get throws(EarshotError) {
            guard let value = self[.timeline] else { return nil }
            return try Timeline(propertyValue: value)
        }
    }

    /// The item with other timed content, or with none.
    ///
    /// - Throws: `mediaItemInvalid` when the item becomes larger than an item may be.
    public func with(timeline: Timeline?) throws(EarshotError) -> MediaItem {
        var properties = properties
        properties[.timeline] = timeline?.propertyValue
        return try MediaItem(properties: properties)
    }
}

extension MatchedMediaItem {
    /// The timed content of the item; `nil` if it has none.
    ///
    /// - Throws: `timelineInvalid`, with the entry, if the value is not a timeline.
    public var timeline: Timeline? {
        get throws(EarshotError) { try item.timeline }
    }
}
