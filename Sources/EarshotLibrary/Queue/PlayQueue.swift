/// The items to play and the current one. A value that decides what to play next; ``LibraryPlayer`` plays it.
///
/// A track of the current context is played there, and the tracks after it come next. Playing another item changes the
/// context, which an event reports. Playback ends with the context.
public struct PlayQueue: Hashable, Sendable {
    /// The collection that is being played; `nil` before the first start.
    public private(set) var context: PlayContext?
    /// All items of the context in order, before and after the current one.
    public private(set) var items: [MusicItem] = []
    /// The index of the current item in ``items``; `nil` if none is playing.
    public private(set) var position: Int?

    /// Creates an empty queue.
    public init() {}

    /// The current item; `nil` before the first start and after the end.
    public var current: MusicItem? { position.map { items[$0] } }

    /// The items after the current one, in order; empty if none is playing.
    public var upcoming: ArraySlice<MusicItem> { position.map { items[($0 + 1)...] } ?? [] }

    /// `true` if the context was played to its end.
    public var hasEnded: Bool { context != nil && position == nil }

    // MARK: - Starting

    /// Plays a context, starting with one of its items.
    ///
    /// - Parameters:
    ///   - context: The collection to play.
    ///   - items: Its items in order. If empty, nothing changes.
    ///   - place: The index of the first item to play, limited to the existing ones.
    /// - Returns: The changes: of the context, if it is another one, and the item that begins.
    @discardableResult
    public mutating func start(_ context: PlayContext, _ items: [MusicItem], at place: Int = 0) -> [QueueEvent] {
        guard !items.isEmpty else { return [] }
        var events: [QueueEvent] = []
        if self.context != context { events.append(.contextChanged(from: self.context, to: context)) }
        (self.context, self.items) = (context, items)
        return events + begin(min(max(0, place), items.count - 1))
    }

    /// Plays an item in the current context, or in another one if the current context does not contain it.
    ///
    /// - Parameters:
    ///   - item: The identifier of the item. If the context contains it several times, the next one after the current
    ///     item is played.
    ///   - other: The context for an item that is not in the current one, with its items in order. If these do not
    ///     contain the item either, nothing changes.
    /// - Returns: The changes.
    @discardableResult
    public mutating func play(
        _ item: ItemID,
        otherwiseIn other: @autoclosure () -> (context: PlayContext, items: [MusicItem])
    ) -> [QueueEvent] {
        if let place = place(of: item) { return begin(place) }
        let (context, items) = other()
        guard let place = items.firstIndex(where: { $0.id == item }) else { return [] }
        return start(context, items, at: place)
    }

    // MARK: - Going on

    /// Goes to the next item; after the last one the context ends. Has no effect if nothing is playing.
    ///
    /// - Returns: The changes of the queue.
    @discardableResult
    public mutating func next() -> [QueueEvent] {
        guard let position, let context else { return [] }
        guard position + 1 < items.count else {
            self.position = nil
            return [.ended(context)]
        }
        return begin(position + 1)
    }

    /// Goes to the previous item; the first one starts again, and after the end the last one. Has no effect before the
    /// first start.
    ///
    /// - Returns: The changes of the queue.
    @discardableResult
    public mutating func previous() -> [QueueEvent] {
        guard !items.isEmpty else { return [] }
        guard let position else { return begin(items.count - 1) }
        return begin(max(0, position - 1))
    }

    private mutating func begin(_ place: Int) -> [QueueEvent] {
        position = place
        return [.began(items[place])]
    }

    private func place(of item: ItemID) -> Int? {
        let start = min(items.count, position.map { $0 + 1 } ?? 0)
        return items[start...].firstIndex { $0.id == item } ?? items[..<start].lastIndex { $0.id == item }
    }
}
