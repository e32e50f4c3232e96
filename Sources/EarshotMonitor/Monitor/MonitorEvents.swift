/// The events of a monitor, as a sequence for one reader. It ends when the monitor is released or the reading task is
/// cancelled.
public struct MonitorEvents<Event: Sendable>: AsyncSequence, Sendable {
    /// The event.
    public typealias Element = Event
    /// It does not fail.
    public typealias Failure = Never

    let mailbox: EventMailbox<Event>

    /// An iterator; there is one reader.
    public func makeAsyncIterator() -> Iterator { Iterator(mailbox: mailbox) }

    /// Gives one event after the other.
    public struct Iterator: AsyncIteratorProtocol {
        let mailbox: EventMailbox<Event>

        /// The next event; `nil` at the end.
        public mutating func next() async -> Event? { await mailbox.next() }

        /// The next event; `nil` at the end.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Event? { await mailbox.next() }
    }
}
