public import EarshotBroadcast
import EarshotCatalogs
public import EarshotCore
import EarshotMusic
public import EarshotRecognition
public import EarshotSignatures
public import Foundation
import Synchronization

extension LiveIndex {
    /// Places of one channel nearer to each other than this are one: 0.5 s.
    private static let samePlace = 0.5

    /// Looks for a recording on all channels.
    ///
    /// - Parameters:
    ///   - query: The recording: 1 s to ``Options/longestQuery``.
    ///   - now: The instant at which its last sample was heard.
    /// - Returns: All matches in all channels, best first; empty if nothing matches.
    /// - Throws: `signatureDurationInvalid`, `signatureInvalid` for a silent one, `catalogInvalid` when a part that is kept
    ///   in a file is damaged.
    public func lookup(_ query: Signature, now: Date = Date()) throws(EarshotError) -> [LiveMatch] {
        // What is searched is a value: pieces that come meanwhile wait for nobody.
        let catalogs = state.withLock { $0.blocks.blocks.map(\.catalog) + Array($0.open.values) }
        let catalog = try Catalog(joining: catalogs, queryLimits: limits)
        guard let match = try catalog.match(query) else { return [] }
        let oldest = now.addingTimeInterval(-options.retention.seconds - query.duration.seconds)
        var found: [LiveMatch] = []
        for reference in match.references {
            guard let place = CatalogBlocks.place(of: reference.id) else { continue }
            for occurrence in reference.occurrences {
                let offset = occurrence.offset.seconds
                let date = LiveTime.date(place.begin).addingTimeInterval(offset)
                guard date >= oldest else { continue }
                let speed = 1 + occurrence.speedSkew
                let end = date.addingTimeInterval(query.duration.seconds * speed)
                found.append(
                    LiveMatch(
                        channel: EntityID(place.channel),
                        broadcast: date,
                        behindLive: MediaTime(
                            seconds: max(0, now.timeIntervalSince(end)),
                            preferredTimescale: 1_000
                        ),
                        queryRange: occurrence.queryRange,
                        score: occurrence.score,
                        confidence: occurrence.confidence,
                        speed: speed
                    )
                )
            }
        }
        // The latest first where they are equally good, then the channel: one order for one question.
        found.sort {
            if $0.score != $1.score { return $0.score > $1.score }
            return $0.broadcast == $1.broadcast ? $0.channel < $1.channel : $0.broadcast > $1.broadcast
        }
        var distinct: [LiveMatch] = []
        // Parts overlap: what lies in two is found twice.
        for match in found {
            let isKnown = distinct.contains {
                $0.channel == match.channel
                    && abs($0.broadcast.timeIntervalSince(match.broadcast)) < Self.samePlace
            }
            if !isKnown { distinct.append(match) }
        }
        return distinct
    }

    /// The airing on a channel at the position of a match.
    ///
    /// - Parameters:
    ///   - match: The match.
    ///   - store: The guide.
    /// - Returns: The airing, the position in it by the clock on the wall and how far behind the channel that is, both
    ///   in milliseconds; `nil` if the guide does not know.
    /// - Throws: The guide's errors.
    public static func airing(
        for match: LiveMatch,
        in store: some GuideSource
    ) async throws(EarshotError) -> BroadcastMatch? {
        guard let airing = try await store.airing(on: match.channel, at: match.broadcast) else { return nil }
        var result = BroadcastMatch(title: airing.program.title.text, subtitle: airing.program.subtitle?.text)
        result.airing = airing
        result.position = Int((match.broadcast.timeIntervalSince(airing.start) * 1_000).rounded())
        result.behindLive = Int((match.behindLive.seconds * 1_000).rounded())
        return result
    }
}
