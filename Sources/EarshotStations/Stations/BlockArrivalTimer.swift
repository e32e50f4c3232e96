import EarshotCore
import Foundation

/// Holds back the first audio of a connection, until it is known how much of it was sent at once.
///
/// A server sends the last seconds when it is connected, so that a player need not wait. They are older than they seem, and
/// after a short break they were heard before: heard again they would be plays again. Of a server that sends pieces of several
/// seconds the next piece is waited for, too. A pure value.
struct BlockArrivalTimer: Sendable {
    /// How long audio is held back, in seconds; what is sent at once is there by then.
    private static let patience = 1.5
    /// A pause between two blocks that shows a server which sends several seconds at a time, in seconds.
    private static let pause = 1.0
    /// The most audio that is held back, in seconds: a source that is read as fast as it goes has no end of it.
    private static let limit = 60.0

    private(set) var blocks: [(block: AudioBlock, instant: StationInstant)] = []
    private var length = 0.0
    /// When audio came again behind the first pause. Only then is the age of what came before it known: the server may have been
    /// asked anywhere between two of its pieces.
    private var resumed: MediaTime?

    var isEmpty: Bool { blocks.isEmpty }

    /// Takes the next audio.
    ///
    /// - Returns: `true` if it is known now what was sent at once.
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

    /// How much more there was than time had gone by, in seconds, where that was most: what is older than it seems. A server that
    /// sends several seconds at a time sends nothing in between.
    var surplus: Double {
        guard let first = blocks.first else { return 0 }
        var (length, most) = (-first.block.buffer.duration.seconds, 0.0)
        for (block, instant) in blocks {
            length += block.buffer.duration.seconds
            most = max(most, length - (instant.uptime - first.instant.uptime).seconds)
        }
        return most
    }

    /// Brings the instants on one line, by the least delay: what came at once was sent one after the other.
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

    /// Leaves out what was heard before, in whole blocks, and never all of it.
    mutating func drop(_ seconds: Double) {
        var left = seconds
        while blocks.count > 1, left >= blocks[0].block.buffer.duration.seconds / 2 {
            left -= blocks.removeFirst().block.buffer.duration.seconds
        }
    }
}
