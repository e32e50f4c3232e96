public import EarshotBroadcast
public import EarshotCore
public import EarshotMusic
public import EarshotSignatures
public import Foundation

/// The sources for broadcast queries, and their order.
public struct BroadcastSources: Sendable {
    /// A match in a live channel.
    public struct ChannelPosition: Hashable, Sendable {
        /// The channel.
        public var channel: EntityID<BroadcastChannel>
        /// The time at which the recording's first instant was broadcast.
        public var broadcast: Date
        /// The delay of the audio behind the live channel, in seconds.
        public var behindLive: Double

        /// A place.
        public init(channel: EntityID<BroadcastChannel>, broadcast: Date, behindLive: Double) {
            self.channel = channel
            self.broadcast = broadcast
            self.behindLive = behindLive
        }
    }

    /// Looks for a signature on running channels: the places, best first.
    public typealias Listening = @Sendable (Signature) async throws(EarshotError) -> [ChannelPosition]

    /// Works, programmes and channels.
    public var guide: any GuideSource
    /// Looks on running channels; `nil` if none is followed.
    public var channels: Listening?
    /// The sources to search, in order. The search ends at the first source with a match; sources that are not listed
    /// are not searched.
    public var order: [BroadcastAnswer.Source]

    /// Sources.
    ///
    /// - Parameters:
    ///   - guide: Works, programmes and channels.
    ///   - order: The places to look at, in order.
    ///   - channels: Looks on running channels.
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
