package import Earshot
import EarshotIngest
import Foundation

/// A match as JSON, the same for `identify`, `tracklist`, `listen` and `monitor`. Times are in seconds; members that are not
/// known are left out.
///
/// Reference time = `offset` + (1 + `speedSkew`) · query time.
package struct MatchRecord: Encodable, Sendable {
    /// The reference's name in its catalog.
    package var id: String?
    package var title, subtitle, artist, album: String?
    /// The reference time at which the query begins; below zero if the query begins earlier.
    package var offset: Double?
    /// The reference time now, of what is followed live.
    package var position: Double?
    /// The part of the query that fits.
    package var queryBegin, queryEnd: Double?
    /// The part of the reference that it fits.
    package var referenceBegin, referenceEnd: Double?
    package var referenceDuration: Double?
    package var speedSkew, pitchSkew, confidence, score: Double?
    /// The part of spectrum or time that the match rests on, if it is not all.
    package var sharedMaterial: SharedMaterial?
    /// Further offsets at which the same part fits.
    package var alternatives: [Double]?
    /// The reference of a surer match that the same audio explains as well.
    package var duplicateOf: String?
    /// The media items that apply, with all properties.
    package var items: [[String: JSONValue]]?

    // Known to services.
    package var trackID, albumID: String?
    package var genres: [String]?
    package var links: JSONPart?
    package var coverArt: JSONPart?

    // Known to monitors.
    package var work: JSONPart?
    package var airing: JSONPart?
    package var music: JSONPart?
    /// The data that the bundle's maker put beside the reference, in Base64, and its identifier.
    package var data, dataID: String?
    /// The bundle that has the reference.
    package var bundle: String?
    /// The delay of the audio behind the channel's own.
    package var behindLive: Double?

    /// A record without any member.
    package init() {}

    /// A play of a recording.
    ///
    /// - Parameter withItems: Says that all properties of the media items are told.
    package init(_ play: Play, withItems: Bool = false) {
        id = play.id.rawValue
        take(play.items.first)
        take(play.placement)
        referenceDuration = Self.seconds(play.referenceDuration)
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
    package static func records(_ match: Match) -> [MatchRecord] {
        let items = match.mediaItems
        return match.references.map { reference in
            MatchRecord(reference, items.first { $0.match.id == reference.id })
        }
    }

    private init(_ reference: ReferenceMatch, _ item: MatchedMediaItem?) {
        id = reference.id.rawValue
        take(item?.item)
        take(reference.best)
        position = Self.seconds(item?.predictedCurrentMatchOffset ?? reference.offset)
        referenceDuration = Self.seconds(reference.referenceDuration)
        alternatives = reference.occurrences.dropFirst().compactMap { Self.seconds($0.offset) }
    }

    private mutating func take(_ item: MediaItem?) {
        (title, subtitle, artist, album) = (item?.title, item?.subtitle, item?.artist, item?.album)
    }

    private mutating func take(_ placement: Placement) {
        let (query, reference) = (placement.queryRange, placement.referenceRange)
        offset = Self.seconds(placement.offset)
        (queryBegin, queryEnd) = (Self.seconds(query.lowerBound), Self.seconds(query.upperBound))
        (referenceBegin, referenceEnd) = (Self.seconds(reference.lowerBound), Self.seconds(reference.upperBound))
        (speedSkew, pitchSkew) = (ResultSchema.rounded(placement.speedSkew), ResultSchema.rounded(placement.pitchSkew))
        sharedMaterial = placement.sharedMaterial
        (confidence, score) = (ResultSchema.rounded(placement.confidence), ResultSchema.rounded(placement.score))
    }

    private static func seconds(_ time: MediaTime) -> Double? {
        time.isNumeric ? ResultSchema.rounded(time.seconds) : nil
    }
}
