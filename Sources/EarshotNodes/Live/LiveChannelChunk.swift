package import Foundation

/// Some seconds of what a channel broadcast, as nodes share them.
package struct LiveChannelChunk: Hashable, Sendable {
    /// The instant of the first sample, in milliseconds since 1970.
    package let start: Int64
    /// The instant behind the last sample, in milliseconds since 1970.
    package let end: Int64
    /// The bytes of the signature.
    package let signature: Data

    /// A chunk.
    package init(start: Int64, end: Int64, signature: Data) {
        (self.start, self.end, self.signature) = (start, end, signature)
    }
}

/// Chunks behind a number, in the order in which they were kept.
package struct LiveChannelPage: Hashable, Sendable {
    /// A chunk, its number and its channel.
    package struct Entry: Hashable, Sendable {
        package let number: Int
        package let channel: String
        package let chunk: LiveChannelChunk

        package init(number: Int, channel: String, chunk: LiveChannelChunk) {
            (self.number, self.channel, self.chunk) = (number, channel, chunk)
        }
    }

    /// The name of the log that the numbers are of. Numbers of another log mean nothing in this one.
    package let log: String
    /// The last number that was given.
    package let last: Int
    package let entries: [Entry]

    package init(log: String, last: Int, entries: [Entry]) {
        (self.log, self.last, self.entries) = (log, last, entries)
    }
}
