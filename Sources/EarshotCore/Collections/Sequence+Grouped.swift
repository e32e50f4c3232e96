extension Sequence {
    /// Returns the elements grouped by a key. Groups are ordered by the first element of each.
    ///
    /// - Parameter key: Returns the key of an element; `nil` to leave the element out.
    package func grouped<Key: Hashable>(by key: (Element) -> Key?) -> [(key: Key, elements: [Element])] {
        var places: [Key: Int] = [:]
        var groups: [(key: Key, elements: [Element])] = []
        for element in self {
            guard let key = key(element) else { continue }
            if let place = places[key] {
                groups[place].elements.append(element)
            } else {
                places[key] = groups.count
                groups.append((key, [element]))
            }
        }
        return groups
    }
}
