import Earshot
import EarshotMonitor
import EarshotMetadata
import Foundation

/// A match as JSON, the same for `identify`, `tracklist`, `listen` and `monitor`. Times are in seconds; members that are not
/// known are left out.
///
/// Reference time = `offset` + (1 + `speedSkew`) · query time.
struct MatchRecord: Encodable, Sendable {
    /// The reference's name in its catalog.
    var id: String?
    var title, subtitle, artist, album: String?
    /// The reference time at which the query begins; below zero if the query begins earlier.
    var offset: Double?
    /// The reference time now, of what is followed live.
    var position: Double?
    /// The part of the query that fits.
    var queryBegin, queryEnd: Double?
    /// The part of the reference that it fits.
    var referenceBegin, referenceEnd: Double?
    var referenceDuration: Double?
    var speedSkew, pitchSkew, confidence, score: Double?
    /// Further offsets at which the same part fits.
    var alternatives: [Double]?
    /// The reference of a surer match that the same audio explains as well.
    var duplicateOf: String?
    /// The media items that apply, with all properties.
    var items: [[String: JSONValue]]?

    // Known to services.
    var trackID, albumID: String?
    var genres: [String]?
    var links: [ExternalLink]?
    var coverArt: ContentImage?

    // Known to monitors.
    var work: VideoWork?
    var airing: Airing?
    var music: MusicMatch?
    /// The data that the bundle's maker put beside the reference, in Base64, and its identifier.
    var data, dataID: String?
    /// The bundle that has the reference.
    var bundle: String?
    /// The delay of the audio behind the channel's own.
    var behindLive: Double?

    /// A play of a recording.
    ///
    /// - Parameter withItems: Whether all properties of the media items are told.
    init(_ play: Play, withItems: Bool = false) {
        id = play.id.rawValue
        take(play.items.first)
        offset = Self.seconds(play.offset)
        take(query: play.recordingRange, reference: play.referenceRange)
        referenceDuration = Self.seconds(play.referenceDuration)
        take(play.speedSkew, play.pitchSkew, play.confidence, play.score)
        alternatives = play.alternatives.compactMap(Self.seconds)
        duplicateOf = play.duplicateOf?.rawValue
        if withItems {
            items = play.items.map(JSONValue.object).map { item in
                // It tells the next update of the catalog whether the file has changed, and nobody else anything.
                item.filter { $0.key != MediaItemKey.sourceStamp.rawValue }
            }
        }
    }

    /// The matches of a session, with where their references are now.
    static func records(_ match: Match) -> [MatchRecord] {
        let items = match.mediaItems
        return match.references.map { reference in
            MatchRecord(reference, items.first { $0.match.id == reference.id })
        }
    }

    private init(_ reference: ReferenceMatch, _ item: MatchedMediaItem?) {
        id = reference.id.rawValue
        take(item?.item)
        offset = Self.seconds(reference.offset)
        position = Self.seconds(item?.predictedCurrentMatchOffset ?? reference.offset)
        take(query: reference.queryRange, reference: reference.referenceRange)
        referenceDuration = Self.seconds(reference.referenceDuration)
        take(reference.speedSkew, reference.pitchSkew, reference.confidence, reference.score)
        alternatives = reference.occurrences.dropFirst().compactMap { Self.seconds($0.offset) }
    }

    /// A match of a recognition service.
    init(_ match: MusicMatch) {
        take(match.placement)
        offset = match.songPosition.map { Double($0) / 1000 } ?? offset
        title = match.trackTitle
        artist = match.artist
        album = match.albumTitle
        (trackID, albumID) = (match.trackID?.rawValue, match.albumID?.rawValue)
        genres = match.trackGenre.map(\.name)
        links = match.trackLinks
        coverArt = match.coverArt
    }

    /// A match of a monitor.
    init(_ match: MonitorMatch) {
        id = match.reference
        (title, subtitle) = (match.title, match.subtitle)
        offset = match.actualPosition.map { Double($0) / 1_000 }
        position = match.adjustedPosition.map { Double($0) / 1_000 }
        referenceDuration = match.duration.map { Double($0) / 1_000 }
        speedSkew = ResultSchema.rounded(match.speedSkew)
        confidence = match.confidence.map(ResultSchema.rounded)
        (work, airing, music) = (match.work, match.airing, match.music)
        (artist, album) = (match.music?.artist, match.music?.albumTitle)
        (data, dataID) = (match.customData?.bytes.base64EncodedString(), match.customData?.identifier)
        behindLive = match.behindLive.map { Double($0) / 1_000 }
    }

    private mutating func take(_ placement: MusicMatch.Placement?) {
        guard let placement else { return }
        id = placement.reference
        offset = ResultSchema.rounded(placement.offset)
        (queryBegin, queryEnd) = (placement.queryBegin, placement.queryEnd)
        (referenceBegin, referenceEnd) = (placement.referenceBegin, placement.referenceEnd)
        (speedSkew, pitchSkew, confidence) = (placement.speedSkew, placement.pitchSkew, placement.confidence)
    }

    private mutating func take(_ item: MediaItem?) {
        (title, subtitle, artist, album) = (item?.title, item?.subtitle, item?.artist, item?.album)
    }

    private mutating func take(query: Range<MediaTime>, reference: Range<MediaTime>) {
        (queryBegin, queryEnd) = (Self.seconds(query.lowerBound), Self.seconds(query.upperBound))
        (referenceBegin, referenceEnd) = (Self.seconds(reference.lowerBound), Self.seconds(reference.upperBound))
    }

    private mutating func take(_ speed: Double, _ pitch: Double, _ confidence: Double, _ score: Double) {
        (speedSkew, pitchSkew) = (ResultSchema.rounded(speed), ResultSchema.rounded(pitch))
        (self.confidence, self.score) = (ResultSchema.rounded(confidence), ResultSchema.rounded(score))
    }

    private static func seconds(_ time: MediaTime) -> Double? {
        time.isNumeric ? ResultSchema.rounded(time.seconds) : nil
    }
}
