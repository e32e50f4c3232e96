import EarshotCore
import Foundation

/// Holds back the first audio of a connection until it is known how much of it was sent at once.
///
/// A server sends the last seconds when a client connects, so that a player can start. They are older than their
/// arrival. After a short break they were heard already, and would become plays again. If a server sends chunks of
/// several seconds, the next chunk is awaited too. A pure value.
struct BlockArrivalTimer: Sendable {
    /// The time for which audio is held back, in seconds. Audio that is sent at once has arrived by then.
    private static let patience = 1.5
    /// The pause between two blocks that shows that a server sends several seconds at a time, in seconds.
    private static let pause = 1.0
    /// The most audio that is held back, in seconds. A source that is read faster than real time would never end.
    private static let limit = 60.0

    private(set) var blocks: [(block: AudioBlock, instant: StationInstant)] = []
    private var length = 0.0
    /// The time at which audio arrived after the first pause. Before, the age of the audio is unknown, because the
    /// client may have connected anywhere between two chunks.
    private var resumed: MediaTime?

    var isEmpty: Bool { blocks.isEmpty }

    /// Adds the next audio.
    ///
    /// - Returns: `true` if it is now known how much was sent at once.
    mutating func append(_ block: AudioBlock, at instant: StationInstant) -> Bool {
        if resumed == nil, let last = blocks.last, (instant.uptime - last.instant.uptime).seconds >= Self.pause {
            resumed = instant.uptime
        }
        blocks.append((block, instant))
        length += block.buffer.duration.seconds
        guard let first = blocks.first else { return false }
        let begin = resumed ?? first.instant.uptime
        return (instant.uptime - begin).seconds >= Self.patience || length >= Self.limit
    }

    /// The largest lead of the audio over the elapsed time, in seconds: the age of the first audio. A server that sends
    /// chunks sends nothing in between.
    var surplus: Double {
        guard let first = blocks.first else { return 0 }
        var (length, most) = (-first.block.buffer.duration.seconds, 0.0)
        for (block, instant) in blocks {
            length += block.buffer.duration.seconds
            most = max(most, length - (instant.uptime - first.instant.uptime).seconds)
        }
        return most
    }

    /// Moves the instants to one line, by the least delay. Blocks that arrived at once are thereby one after the other.
    mutating func straighten() {
        var end = 0.0
        var offset = Double.infinity
        var ends: [Double] = []
        for (block, instant) in blocks {
            end += block.buffer.duration.seconds
            ends.append(end)
            offset = min(offset, instant.uptime.seconds - end)
        }
        for index in blocks.indices {
            let uptime = blocks[index].instant.uptime
            let shift = min(0, offset + ends[index] - uptime.seconds)
            blocks[index].instant.uptime = uptime + MediaTime(seconds: shift, preferredTimescale: 1_000_000)
            blocks[index].instant.date += shift
        }
    }

    /// Removes audio that was heard before, in whole blocks, but never all of it.
    mutating func drop(_ seconds: Double) {
        var left = seconds
        while blocks.count > 1, left >= blocks[0].block.buffer.duration.seconds / 2 {
            left -= blocks.removeFirst().block.buffer.duration.seconds
        }
    }
}
