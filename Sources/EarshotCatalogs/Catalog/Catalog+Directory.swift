package import EarshotCore

extension Catalog {
    /// Returns the references whose media items may have one of the given keys, and the reference of the given name.
    ///
    /// The first call for a type of keys reads the media items of all references. Later calls on the same references
    /// search in memory.
    ///
    /// - Parameters:
    ///   - keys: The keys to look up.
    ///   - id: The name of one more reference to return if it exists.
    /// - Throws: `catalogInvalid` if a reference that is found is damaged.
    package func references<Key: MediaItemDirectoryKey>(
        with keys: [Key],
        orNamed id: ReferenceID
    ) throws(EarshotError) -> [ReferenceSummary] {
        var summaries: [ReferenceSummary] = []
        for target in try matchTargets() {
            var numbers = target.segment.directory(of: Key.self).numbers(of: keys)
            if let named = target.segment.number(of: id) { numbers.insert(named) }
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
