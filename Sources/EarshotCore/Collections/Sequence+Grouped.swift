extension Sequence {
    /// Returns the elements in groups of one key, in the order in which each key comes first.
    ///
    /// - Parameter key: Returns the key of an element; `nil` for one that is left out.
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
