package import EarshotCore

extension Catalog {
    /// The references that may have one of some keys, or have a given name.
    ///
    /// The first call for a type of keys reads the media items of all references; later calls on the same references look in
    /// memory.
    ///
    /// - Parameters:
    ///   - keys: The keys.
    ///   - id: The name of one more reference that is wanted.
    /// - Throws: `catalogInvalid` when a reference that is found is damaged.
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
