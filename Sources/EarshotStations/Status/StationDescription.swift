package import EarshotBroadcast
package import EarshotMusic
package import Foundation

/// A station as settings describe it to people.
package struct StationDescription: Hashable, Sendable, Codable {
    /// The identifier of its channel in the log.
    package var id: EntityID<BroadcastChannel>
    /// The name that is shown.
    package var name: String
    /// The identifier of the zone in which its days begin, as in `Europe/Vienna`.
    package var timeZone: String
    /// The identifier of its channel in the programme guide.
    package var guide: EntityID<BroadcastChannel>

    /// Describes a station.
    ///
    /// - Parameters:
    ///   - id: The identifier of its channel in the log.
    ///   - name: The name that is shown. Default: `id`.
    ///   - timeZone: The zone in which its days begin.
    ///   - guide: The identifier of its channel in the programme guide. Default: `id`.
    package init(
        id: EntityID<BroadcastChannel>,
        name: String? = nil,
        timeZone: TimeZone = .gmt,
        guide: EntityID<BroadcastChannel>? = nil
    ) {
        (self.id, self.name, self.guide) = (id, name ?? id.rawValue, guide ?? id)
        self.timeZone = timeZone == .gmt ? "UTC" : timeZone.identifier
    }

    /// The zone in which its days begin; UTC for an identifier that this system does not know.
    package var zone: TimeZone { timeZone == "UTC" ? .gmt : TimeZone(identifier: timeZone) ?? .gmt }
}
