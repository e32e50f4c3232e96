public import EarshotBroadcast
public import EarshotCore
public import EarshotMusic
public import Foundation

/// A position on a channel's timeline at which a recording was found.
public struct LiveMatch: Hashable, Sendable {
    /// The channel.
    public let channel: EntityID<BroadcastChannel>
    /// The time at which the recording's first sample was broadcast, on the channel's timeline.
    public let broadcast: Date
    /// The delay of the recording behind the live channel, from the broadcast of its last sample to the time at which
    /// that was heard. Never negative.
    public let behindLive: MediaTime
    /// The part of the recording that matches.
    public let queryRange: Range<MediaTime>
    /// The evidence against chance, in nats, for comparison with other matches.
    public let score: Double
    /// The confidence of the match, from 0 to 1.
    public let confidence: Double
    /// The playback speed of the recording: 1 as broadcast, 1.05 is 5 % fast.
    public let speed: Double
}
