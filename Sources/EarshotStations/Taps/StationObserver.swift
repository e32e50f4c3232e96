public import EarshotBroadcast
public import EarshotCore
public import EarshotMusic
public import Foundation

/// An observer that receives a station's audio: it keeps the last hours, or finds repeats.
///
/// Functions are called on the station's queue, in the order of the broadcast, and are to be quick: the station waits.
public protocol StationObserver: Sendable {
    /// Audio was heard.
    ///
    /// - Parameters:
    ///   - buffer: The audio.
    ///   - date: The time at which its first frame was broadcast, as in the log.
    ///   - channel: The station's channel.
    func hear(_ buffer: AudioBuffer, at date: Date, of channel: EntityID<BroadcastChannel>)

    /// Something was put into the log, or taken back from it.
    ///
    /// - Parameters:
    ///   - record: The play, as it is known now.
    ///   - isWithdrawn: `true` if it is none after all.
    func note(_ record: PlayRecord, isWithdrawn: Bool)
}
