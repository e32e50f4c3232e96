/// The events of a monitor, as a sequence for one reader. It ends when the monitor is released or the reading task is
/// canceled.
public struct MonitorEvents<Event: Sendable>: AsyncSequence, Sendable {
    /// The type of the events.
    public typealias Element = Event
    /// The sequence never throws.
    public typealias Failure = Never

    let mailbox: EventMailbox<Event>

    /// Creates the iterator. The sequence supports one reader.
    public func makeAsyncIterator() -> Iterator { Iterator(mailbox: mailbox) }

    /// The iterator over the events of a monitor.
    public struct Iterator: AsyncIteratorProtocol {
        let mailbox: EventMailbox<Event>

        /// Waits for the next event and returns it; `nil` at the end.
        public mutating func next() async -> Event? { await mailbox.next() }

        /// Waits for the next event and returns it; `nil` at the end.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Event? { await mailbox.next() }
    }
}
