/// What plays, what played before and what comes after: a value that decides and plays nothing itself.
///
/// A track of what is playing is played there, and what comes after it in the album comes next. Playing anything else changes
/// the context, and that is told with an event. At its end a context ends; no other one follows by itself.
public struct PlayQueue: Hashable, Sendable {
    /// What is played through; `nil` before the first start.
    public private(set) var context: PlayContext?
    /// All items of the context in order, those before and after the present one too.
    public private(set) var items: [MusicItem] = []
    /// The place of the present item in ``items``; `nil` if nothing plays.
    public private(set) var position: Int?

    /// A queue in which nothing plays.
    public init() {}

    /// The item that plays; `nil` before the first start and after the end.
    public var current: MusicItem? { position.map { items[$0] } }

    /// The items that come after the present one, in order; none when nothing plays.
    public var upcoming: ArraySlice<MusicItem> { position.map { items[($0 + 1)...] } ?? [] }

    /// `true` if the context was played to its end.
    public var hasEnded: Bool { context != nil && position == nil }

    // MARK: - Starting

    /// Plays a context from one of its items on.
    ///
    /// - Parameters:
    ///   - context: What is played through.
    ///   - items: Its items in order. Where there are none, nothing changes.
    ///   - place: The place of the first item to play; one that is not there is brought to the nearest that is.
    /// - Returns: What happened: a change of context, where it is another one, and the item that begins.
    @discardableResult
    public mutating func start(_ context: PlayContext, _ items: [MusicItem], at place: Int = 0) -> [QueueEvent] {
        guard !items.isEmpty else { return [] }
        var events: [QueueEvent] = []
        if self.context != context { events.append(.contextChanged(from: self.context, to: context)) }
        (self.context, self.items) = (context, items)
        return events + begin(min(max(0, place), items.count - 1))
    }

    /// Plays an item: in the present context where it is in it, and otherwise in another one.
    ///
    /// - Parameters:
    ///   - item: The identifier of the item. Where it stands in the context several times, the next one after the present
    ///     item is played.
    ///   - other: The context for an item that is not in the present one, with its items in order. Where the item is not in
    ///     these either, nothing changes.
    /// - Returns: What happened.
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

    /// Goes to the next item; after the last one the context ends. Nothing happens when nothing plays.
    ///
    /// - Returns: What happened.
    @discardableResult
    public mutating func next() -> [QueueEvent] {
        guard let position, let context else { return [] }
        guard position + 1 < items.count else {
            self.position = nil
            return [.ended(context)]
        }
        return begin(position + 1)
    }

    /// Goes to the item before; the first one begins anew, and after the end the last one. Nothing happens before the first
    /// start.
    ///
    /// - Returns: What happened.
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
