public import EarshotCore

/// A music library in memory, for tests and for systems without one.
public struct MemoryMusicLibrary: MusicLibrary {
    private let all: [MusicItem]
    private let places: [ItemID: Int]
    private let failure: EarshotError?

    /// Creates a library from items.
    ///
    /// - Parameters:
    ///   - items: The items in order; of several with one identifier the first counts.
    ///   - failure: The error that every call throws, for tests; `nil` for a library that can be read.
    public init(_ items: [MusicItem], failure: EarshotError? = nil) {
        var (all, places): ([MusicItem], [ItemID: Int]) = ([], [:])
        for item in items where places[item.id] == nil {
            places[item.id] = all.count
            all.append(item)
        }
        (self.all, self.places, self.failure) = (all, places, failure)
    }

    /// Returns all items, in the order in which they were given.
    public func items() async throws(EarshotError) -> [MusicItem] {
        if let failure { throw failure }
        return all
    }

    /// Returns the item with an identifier; `nil` if there is none.
    public func item(_ id: ItemID) async throws(EarshotError) -> MusicItem? {
        if let failure { throw failure }
        return places[id].map { all[$0] }
    }
}
