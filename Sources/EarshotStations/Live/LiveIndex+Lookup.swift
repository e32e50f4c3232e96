public import EarshotBroadcast
import EarshotCatalogs
public import EarshotCore
import EarshotMusic
public import EarshotRecognition
public import EarshotSignatures
public import Foundation
import Synchronization

extension LiveIndex {
    /// The distance below which two places on one channel count as the same, in seconds.
    private static let samePlace = 0.5

    /// Searches all channels for a recording.
    ///
    /// - Parameters:
    ///   - query: The signature of the recording, of 1 s to ``Options/longestQuery``.
    ///   - now: The time at which its last sample was heard.
    /// - Returns: All matches in all channels, best first; empty if nothing matches.
    /// - Throws: `signatureDurationInvalid` if the query is too short or too long; `signatureInvalid` if it is silent;
    ///   `catalogInvalid` if a part in a file is damaged.
    public func lookup(_ query: Signature, now: Date = Date()) throws(EarshotError) -> [LiveMatch] {
        // The search reads a value, so that chunks that arrive meanwhile do not wait.
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
        // Equally good matches are sorted by time, latest first, and by channel, so that the order is always the same.
        found.sort {
            if $0.score != $1.score { return $0.score > $1.score }
            return $0.broadcast == $1.broadcast ? $0.channel < $1.channel : $0.broadcast > $1.broadcast
        }
        var distinct: [LiveMatch] = []
        // Parts overlap, so a place that lies in two parts is found twice.
        for match in found {
            let isKnown = distinct.contains {
                $0.channel == match.channel
                    && abs($0.broadcast.timeIntervalSince(match.broadcast)) < Self.samePlace
            }
            if !isKnown { distinct.append(match) }
        }
        return distinct
    }

    /// Returns the airing on a channel at the time of a match.
    ///
    /// - Parameters:
    ///   - match: The match.
    ///   - store: The program guide.
    /// - Returns: The airing, the position in it by wall-clock time and the delay behind the live channel, both in
    ///   milliseconds; `nil` if the guide has no airing then.
    /// - Throws: The errors of the guide.
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
