import EarshotBroadcast
import EarshotCore
import EarshotMusic
import Foundation

/// Writes pages of changes as server-sent events, and keeps the position in the log.
struct PlayEventFeed: Hashable, Sendable {
    /// The number of the last change that was read, sent or not.
    private(set) var position: Int
    /// The channels whose changes are sent; empty for all.
    let channels: Set<EntityID<BroadcastChannel>>

    init(after position: Int, channels: Set<EntityID<BroadcastChannel>> = []) {
        (self.position, self.channels) = (position, channels)
    }

    /// Returns the events of a page of the changes behind ``position``; empty if none is of the channels.
    ///
    /// - Throws: `metadataInvalid` for a record that JSON cannot express, which no store contains.
    mutating func text(_ page: PlayChangePage) throws(EarshotError) -> String {
        // Without an id, so that a listener that reconnects sends the id of its last change.
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
