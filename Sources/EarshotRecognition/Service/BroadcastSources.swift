public import EarshotBroadcast
public import EarshotCore
public import EarshotMusic
public import EarshotSignatures
public import Foundation

/// What a service knows of broadcasts, and in which order it looks.
public struct BroadcastSources: Sendable {
    /// Where a recording was heard on a running channel.
    public struct ChannelPosition: Hashable, Sendable {
        /// The channel.
        public var channel: EntityID<BroadcastChannel>
        /// When the recording's first instant was broadcast.
        public var broadcast: Date
        /// How far what is heard lies behind what the channel plays, in seconds.
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
    /// The places to look at, in order. The first where something is found counts; what is left out is not looked at.
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
