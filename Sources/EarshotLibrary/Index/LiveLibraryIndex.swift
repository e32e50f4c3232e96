public import EarshotCore

/// An index that can be searched while it is being filled. Each search covers the items added so far.
public actor LiveLibraryIndex {
    /// A copy of the index at this moment. It does not change when more items are added.
    public private(set) var snapshot = LibraryIndex()

    /// Creates an empty index.
    public init() {}

    /// Adds items, or replaces those with their identifiers.
    public func add(_ items: [MusicItem]) {
        snapshot.add(items)
    }

    /// Removes items.
    public func remove(_ ids: [ItemID]) {
        for id in ids { snapshot.remove(id) }
    }

    /// Returns the item with an identifier; `nil` if it has not been indexed.
    public func item(_ id: ItemID) -> MusicItem? { snapshot.item(id) }

    /// The number of items indexed so far.
    public var count: Int { snapshot.count }

    /// Adds all items of a library in batches, so that searches can run in between.
    ///
    /// - Parameters:
    ///   - library: The library.
    ///   - pieceSize: The number of items in a batch; at least 1.
    ///   - progress: Called after each batch with the number of items added, and the total.
    /// - Throws: The library's errors, and `cancelled`; items added before are kept.
    public func fill(
        from library: any MusicLibrary,
        pieceSize: Int = 256,
        progress: @Sendable (_ done: Int, _ total: Int) async -> Void = { _, _ in }
    ) async throws(EarshotError) {
        let items = try await library.items()
        var done = 0
        while done < items.count {
            if Task.isCancelled {
                throw EarshotError(
                    .cancelled,
                    "Indexing was canceled after \(done) of \(items.count) items; begin it anew."
                )
            }
            let end = min(items.count, done + max(1, pieceSize))
            add(Array(items[done..<end]))
            done = end
            await progress(done, items.count)
            await Task.yield()
        }
    }
}
