public import EarshotBroadcast
public import EarshotCatalogs
public import EarshotCore
import Foundation

extension StationTracker {
    /// The state that another process needs to continue a tracker.
    public struct Snapshot: Sendable, Codable {
        let version: Int
        let follower: PlayTracker.State
        let knots: [StationClock.Knot]
        let tracked: [StationPlay]
        let orphans: [PlayRecord]
        let breaks: [Break]
        /// The gap in progress; `nil` without one.
        let gap: StreamGap?
        let skipped: Double
    }

    /// The state to save in order to continue later; about 40 kB as JSON.
    public var snapshot: Snapshot {
        Snapshot(
            version: 1,
            follower: follower.state,
            knots: clock.knots,
            tracked: tracked,
            orphans: orphans,
            breaks: breaks,
            gap: lost.flatMap { $0.isTold ? $0.gap : nil },
            skipped: lost?.skipped ?? 0
        )
    }

    /// Continues the work of an earlier run. A play that still runs keeps its record; one that does not return in time
    /// ends when it was last heard.
    ///
    /// - Parameters:
    ///   - channel: The station as its records name it.
    ///   - catalog: The catalog to search.
    ///   - options: The settings of the tracker.
    ///   - snapshot: The saved state; `nil` if there is none.
    ///   - open: The station's provisional records in the log.
    /// - Throws: `catalogInvalid` if the catalog is damaged; `signatureInvalid` if the snapshot is damaged or of
    ///   another version.
    public init(
        channel: PlayChannel,
        catalog: Catalog,
        options: Options = .init(),
        restoring snapshot: Snapshot?,
        open: [PlayRecord] = []
    ) throws(EarshotError) {
        try self.init(channel: channel, catalog: catalog, options: options)
        if let snapshot {
            guard snapshot.version == 1 else {
                throw EarshotError(
                    .signatureInvalid,
                    "The saved state of the station \(channel.name) is of a newer version: update the program, or start without the state."
                )
            }
            follower = try PlayTracker(catalog, options: options.following, restoring: snapshot.follower)
            clock = StationClock(knots: snapshot.knots)
            (tracked, breaks) = (snapshot.tracked.filter { !$0.parts.isEmpty }, snapshot.breaks)
            orphans = snapshot.orphans
            if time != .zero {
                let end = time.seconds - snapshot.skipped
                let gap = snapshot.gap ?? StreamGap(channel: channel, start: date(end), reason: .monitorStopped)
                lost = Loss(gap: gap, uptime: nil, skipped: snapshot.skipped, isTold: snapshot.gap != nil)
                clock.disconnect(at: time.seconds)
            }
        }
        let known = Set(tracked.compactMap(\.id) + orphans.map(\.id))
        orphans += open.filter { $0.channel.id == channel.id && $0.state == .provisional && !known.contains($0.id) }
    }
}
