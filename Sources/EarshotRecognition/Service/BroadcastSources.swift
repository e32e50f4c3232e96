public import EarshotBroadcast
public import EarshotCore
public import EarshotMusic
public import EarshotSignatures
public import Foundation

/// The sources that a service searches for broadcast queries, and their order.
public struct BroadcastSources: Sendable {
    /// A match of a query on a live channel.
    public struct ChannelPosition: Hashable, Sendable {
        /// The identifier of the channel.
        public var channel: EntityID<BroadcastChannel>
        /// The time at which the start of the query was broadcast.
        public var broadcast: Date
        /// The delay of the query behind the live channel, in seconds.
        public var behindLive: Double

        /// Creates a match.
        public init(channel: EntityID<BroadcastChannel>, broadcast: Date, behindLive: Double) {
            self.channel = channel
            self.broadcast = broadcast
            self.behindLive = behindLive
        }
    }

    /// Searches the live channels for a signature, and returns the matches, best first.
    public typealias Listening = @Sendable (Signature) async throws(EarshotError) -> [ChannelPosition]

    /// The guide: works, programs, channels and airings.
    public var guide: any GuideSource
    /// Searches the live channels; `nil` if there are none.
    public var channels: Listening?
    /// The sources to search, in order. The search ends at the first source with a match; sources that are not listed
    /// are not searched.
    public var order: [BroadcastAnswer.Source]

    /// Creates a set of sources.
    ///
    /// - Parameters:
    ///   - guide: The guide: works, programs, channels and airings.
    ///   - order: The sources to search, in order.
    ///   - channels: Searches the live channels; `nil` if there are none.
    public init(
        guide: any GuideSource,
        order: [BroadcastAnswer.Source] = [.archive, .television, .music],
        channels: Listening? = nil
    ) {
        self.guide = guide
        self.order = order
        self.channels = channels
    }
}
