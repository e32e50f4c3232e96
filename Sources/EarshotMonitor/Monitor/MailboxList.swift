/// The mailboxes of readers that are still there.
struct MailboxList<Event: Sendable>: Sendable {
    private struct Entry: Sendable {
        weak var mailbox: EventMailbox<Event>?
    }

    private var entries: [Entry] = []

    /// Those whose readers are there.
    var all: [EventMailbox<Event>] { entries.compactMap(\.mailbox) }

    /// Adds one, which its reader owns, and forgets those whose readers are gone.
    mutating func append(_ mailbox: EventMailbox<Event>) {
        entries.removeAll { $0.mailbox == nil }
        entries.append(Entry(mailbox: mailbox))
    }
}
