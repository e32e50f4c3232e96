public import EarshotCore

/// An index that is asked while it is filled: every answer is about the items that are in it by then.
public actor LiveLibraryIndex {
    /// The current index: a value, which does not change when more items are added.
    public private(set) var snapshot = LibraryIndex()

    /// An index without items.
    public init() {}

    /// Adds items, or replaces those with their identifiers.
    public func add(_ items: [MusicItem]) {
        snapshot.add(items)
    }

    /// Removes items.
    public func remove(_ ids: [ItemID]) {
        for id in ids { snapshot.remove(id) }
    }

    /// The item with an identifier, among those indexed so far.
    public func item(_ id: ItemID) -> MusicItem? { snapshot.item(id) }

    /// The number of items indexed so far.
    public var count: Int { snapshot.count }

    /// Adds all items of a library, a piece at a time, so that others are answered in between.
    ///
    /// - Parameters:
    ///   - library: The library.
    ///   - pieceSize: The number of items that are added at a time; at least 1.
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
                    "Indexing was cancelled after \(done) of \(items.count) items; begin it anew."
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
