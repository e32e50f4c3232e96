package import EarshotCore

/// Keeps what channels broadcast in the last hours, for all nodes of a service.
///
/// Each chunk takes the next number. Whoever reads the chunks behind a number, and keeps the last one read, misses none: a number is visible
/// when all lower ones are. Of each channel only what lies behind all that is known counts, so all who read in order agree on what counts.
/// Time is measured by the store.
///
/// All functions may be called from any task. They throw `storeUnavailable` if the store cannot be reached, and `cancelled`.
package protocol LiveChannelStore: Sendable {
    /// Keeps chunks of a channel; all of a call or, if it throws, none. A crash of the store may lose those of the last second.
    ///
    /// - Parameters:
    ///   - chunks: The chunks, in the order in which they were sent.
    ///   - channel: The channel.
    ///   - channelLimit: The most channels that there may be.
    /// - Returns: For each chunk, `false` if it ends at or before what was known, and was not kept.
    /// - Throws: `requestInvalid` for a channel too many.
    func append(
        _ chunks: [LiveChannelChunk],
        to channel: String,
        channelLimit: Int
    ) async throws(EarshotError) -> [Bool]

    /// Returns a page of the chunks behind a number.
    ///
    /// - Parameters:
    ///   - number: The last number that was read; 0 for the beginning.
    ///   - limit: The most chunks of the page.
    func chunks(after number: Int, limit: Int) async throws(EarshotError) -> LiveChannelPage

    /// Removes the chunks that ended some time ago, and channels that have none.
    ///
    /// - Parameter seconds: The age from which on they go, in seconds.
    /// - Returns: The number of chunks that were removed.
    @discardableResult
    func remove(olderThan seconds: Double) async throws(EarshotError) -> Int
}

extension LiveChannelStore {
    /// Returns for each chunk `true` if it ends behind all that is known, so that it is kept.
    ///
    /// - Parameter end: The end of what is known, in milliseconds since 1970, which moves on.
    package static func kept(_ chunks: [LiveChannelChunk], behind end: inout Int64) -> [Bool] {
        chunks.map { chunk in
            guard chunk.end > max(chunk.start, end) else { return false }
            end = chunk.end
            return true
        }
    }

    /// Returns the failure of adding a channel beyond the limit.
    package static func full(_ limit: Int) -> EarshotError {
        EarshotError(.requestInvalid, "There are \(limit) channels already: remove one, or raise the limit.")
    }
}
