import EarshotBroadcast
import EarshotCore
import EarshotMusic
import Foundation

/// Writes pages of changes as server-sent events, and remembers how far that has come.
struct PlayEventFeed: Hashable, Sendable {
    /// The number of the last change that was looked at.
    private(set) var position: Int
    /// Changes of these channels; none for all.
    let channels: Set<EntityID<BroadcastChannel>>

    init(after position: Int, channels: Set<EntityID<BroadcastChannel>> = []) {
        (self.position, self.channels) = (position, channels)
    }

    /// The events of a page of the changes behind ``position``; empty where none are wanted.
    ///
    /// - Throws: `metadataInvalid` for a record that JSON cannot express; what stores hold has no such.
    mutating func text(_ page: PlayChangePage) throws(EarshotError) -> String {
        // Without an id: whoever connects again asks from where it was.
        var text = page.isIncomplete ? "event: log.incomplete\ndata: {\"after\":\(position)}\n\n" : ""
        for change in page.changes where change.sequence > position {
            position = change.sequence
            guard channels.isEmpty || channels.contains(change.channel.id) else { continue }
            let data = String(decoding: try PlaylogJSON.encode(change), as: UTF8.self)
            text += "id: \(change.sequence)\nevent: \(change.event.rawValue)\ndata: \(data)\n\n"
        }
        return text
    }
}
