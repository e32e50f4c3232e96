import CommandKit
import EarshotBroadcast
import EarshotCatalogs
import EarshotCore
import EarshotMonitor
import EarshotMusic
import EarshotRecognition
import Foundation

extension MatchRecord {
    /// A match of a monitor.
    init(_ match: MonitorMatch) {
        self.init()
        id = match.placement?.reference.rawValue
        (title, subtitle) = (match.title, match.subtitle)
        offset = match.actualPosition.map { Double($0) / 1_000 }
        position = match.adjustedPosition.map { Double($0) / 1_000 }
        referenceDuration = match.duration.map { Double($0) / 1_000 }
        speedSkew = ResultSchema.rounded(match.placement?.speedSkew ?? 0)
        confidence = match.placement.map { ResultSchema.rounded($0.confidence) }
        work = match.work.map { JSONPart($0) }
        airing = match.airing.map { JSONPart($0) }
        music = match.music.map { JSONPart($0) }
        (artist, album) = (match.music?.artist.name, match.music?.album.title)
        (data, dataID) = (match.customData?.bytes.base64EncodedString(), match.customData?.identifier)
        behindLive = match.behindLive.map { Double($0) / 1_000 }
    }
}
