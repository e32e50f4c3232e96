public import EarshotCatalogs
public import EarshotCore
public import EarshotMusic

extension Catalog {
    /// Returns the references that may be recordings of a track: those with its identifier as their name or service
    /// identifier, with its ISRC, or with the same artist and title.
    ///
    /// The first call reads the media items of all references; later calls on the same references use memory.
    ///
    /// - Parameters:
    ///   - track: The track.
    ///   - artist: The track's artist as one text; `nil` if unknown.
    /// - Throws: `catalogInvalid` if a found reference is damaged.
    public func references(ofTrack track: Track, artist: String?) throws(EarshotError) -> [ReferenceSummary] {
        var keys: [RecordingKey] = [.service(track.id.rawValue)]
        for identifier in track.identifiers where identifier.scheme == .isrc { keys.append(.isrc(identifier.value)) }
        if let artist { keys.append(.named(artist, track.title.text)) }
        return try references(with: keys, orNamed: ReferenceID(track.id.rawValue))
    }
}
