public import EarshotBroadcast
public import EarshotCore
public import EarshotMusic
public import Foundation

/// An observer that receives a station's audio, to keep the last hours or to find repeats.
///
/// Its functions are called on the station's queue, in order of the broadcast. They must return quickly, because the
/// station waits.
public protocol StationObserver: Sendable {
    /// Receives audio.
    ///
    /// - Parameters:
    ///   - buffer: The audio.
    ///   - date: The time at which its first frame was broadcast, as in the log.
    ///   - channel: The station's channel.
    func hear(_ buffer: AudioBuffer, at date: Date, of channel: EntityID<BroadcastChannel>)

    /// Receives a play that was written to the log or withdrawn from it.
    ///
    /// - Parameters:
    ///   - record: The play in its current state.
    ///   - isWithdrawn: `true` if it was withdrawn.
    func note(_ record: PlayRecord, isWithdrawn: Bool)
}
