public import EarshotCore
public import EarshotMetadata

extension Catalog {
    /// The references that may be recordings of a track: those of its name, of its service id, of its ISRC, and of the same artist
    /// and title.
    ///
    /// The first call reads the media items of all references; later calls on the same references look in memory.
    ///
    /// - Parameters:
    ///   - track: The track.
    ///   - artist: The track's artist as one text; `nil` if nobody is named.
    /// - Throws: `catalogInvalid` when a reference that is found is damaged.
    public func references(ofTrack track: Track, artist: String?) throws(EarshotError) -> [ReferenceSummary] {
        var keys: [RecordingDirectory.Key] = [.service(track.id.rawValue)]
        for identifier in track.identifiers where identifier.scheme == .isrc { keys.append(.isrc(identifier.value)) }
        if let artist { keys.append(.named(artist, track.title.text)) }
        var summaries: [ReferenceSummary] = []
        for target in try matchTargets() {
            var numbers = target.segment.recordingDirectory.numbers(of: keys)
            if let named = target.segment.number(of: ReferenceID(track.id.rawValue)) { numbers.insert(named) }
            for number in numbers.sorted() where !target.removed.contains(number) {
                guard let id = target.segment.id(number), let items = target.segment.items(number) else {
                    throw EarshotError(
                        .catalogInvalid,
                        "\(name) is damaged: reference \(number + 1) cannot be read. Make the catalog again."
                    )
                }
                let duration = target.segment.records[number].duration
                summaries.append(ReferenceSummary(id: id, duration: duration, items: items))
            }
        }
        return summaries
    }
}
