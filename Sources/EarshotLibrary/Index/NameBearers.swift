/// Items that are of one album or by one artist, and the names that they give it.
struct NameBearers: Sendable {
    private(set) var items: Set<ItemID> = []
    /// How many items give each name.
    private var counts: [String: Int] = [:]

    /// The names that are given.
    var names: some Collection<String> { counts.keys }

    /// Takes an item with the name that it gives.
    ///
    /// - Returns: Whether the name is new.
    mutating func insert(_ item: ItemID, _ name: String) -> Bool {
        items.insert(item)
        counts[name, default: 0] += 1
        return counts[name] == 1
    }

    /// Gives up an item with a name of it.
    ///
    /// - Returns: Whether no other item gives the name.
    mutating func remove(_ item: ItemID, _ name: String) -> Bool {
        items.remove(item)
        guard let count = counts[name] else { return false }
        counts[name] = count > 1 ? count - 1 : nil
        return count == 1
    }
}
