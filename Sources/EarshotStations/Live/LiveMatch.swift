public import EarshotBroadcast
public import EarshotCore
public import EarshotMusic
public import Foundation

/// A place on a channel's timeline at which a recording was found.
public struct LiveMatch: Hashable, Sendable {
    /// The channel.
    public let channel: EntityID<BroadcastChannel>
    /// When the recording's first sample was broadcast, on the channel's timeline.
    public let broadcast: Date
    /// How far what is heard lies behind the channel: from the broadcast of the recording's last sample to the instant at
    /// which it was heard. Never below zero.
    public let behindLive: MediaTime
    /// The part of the recording that fits.
    public let queryRange: Range<MediaTime>
    /// Evidence against chance, in nats; compares matches with each other.
    public let score: Double
    /// How sure the match is, from 0 to 1.
    public let confidence: Double
    /// How fast the recording plays: 1 as it was broadcast, 1.05 is 5 % fast.
    public let speed: Double
}
