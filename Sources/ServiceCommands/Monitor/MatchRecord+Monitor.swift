import CommandKit
import EarshotBroadcast
import EarshotMonitor
import EarshotMusic
import EarshotRecognition
import Foundation

extension MatchRecord {
    /// A match of a monitor.
    init(_ match: MonitorMatch) {
        self.init()
        id = match.reference
        (title, subtitle) = (match.title, match.subtitle)
        offset = match.actualPosition.map { Double($0) / 1_000 }
        position = match.adjustedPosition.map { Double($0) / 1_000 }
        referenceDuration = match.duration.map { Double($0) / 1_000 }
        speedSkew = ResultSchema.rounded(match.speedSkew)
        confidence = match.confidence.map(ResultSchema.rounded)
        work = match.work.map { JSONPart($0) }
        airing = match.airing.map { JSONPart($0) }
        music = match.music.map { JSONPart($0) }
        (artist, album) = (match.music?.artist, match.music?.albumTitle)
        (data, dataID) = (match.customData?.bytes.base64EncodedString(), match.customData?.identifier)
        behindLive = match.behindLive.map { Double($0) / 1_000 }
    }
}
