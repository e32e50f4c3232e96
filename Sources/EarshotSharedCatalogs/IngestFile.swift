package import EarshotCatalogs
package import EarshotCore

/// A file that is to become a reference of a catalog that nodes share.
package struct IngestFile: Hashable, Sendable {
    /// The name of the reference.
    package var id: ReferenceID
    /// The path of the file on the machine that entered it.
    package var path: String
    /// Media items besides its tags. Properties of the first item win over those of the tags.
    package var items: [MediaItem]

    package init(id: ReferenceID, path: String, items: [MediaItem] = []) {
        (self.id, self.path, self.items) = (id, path, items)
    }

    /// Returns the media items of the reference.
    ///
    /// - Parameter tags: The media item of the tags; `nil` if the file has none.
    /// - Throws: `mediaItemInvalid` if they are too large together.
    package func items(over tags: MediaItem?) throws(EarshotError) -> [MediaItem] {
        guard let tags else { return items }
        guard let first = items.first else { return [tags] }
        let properties = tags.properties.merging(first.properties) { _, own in own }
        return [try MediaItem(properties: properties)] + items.dropFirst()
    }

    /// Returns the files with each name once: at the place of its first file, with the values of its last one.
    package static func distinct(_ files: [IngestFile]) -> [IngestFile] {
        var places: [ReferenceID: Int] = [:]
        var distinct: [IngestFile] = []
        for file in files {
            if let place = places[file.id] {
                distinct[place] = file
            } else {
                places[file.id] = distinct.count
                distinct.append(file)
            }
        }
        return distinct
    }
}
