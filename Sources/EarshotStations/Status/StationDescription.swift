package import EarshotBroadcast
package import EarshotMusic
package import Foundation

/// A station as described in the settings.
package struct StationDescription: Hashable, Sendable, Codable {
    /// The identifier of its channel in the log.
    package var id: EntityID<BroadcastChannel>
    /// The displayed name.
    package var name: String
    /// The identifier of the time zone in which its days begin, such as `Europe/Vienna`.
    package var timeZone: String
    /// The identifier of its channel in the program guide.
    package var guide: EntityID<BroadcastChannel>

    /// Describes a station.
    ///
    /// - Parameters:
    ///   - id: The identifier of its channel in the log.
    ///   - name: The displayed name. Default: `id`.
    ///   - timeZone: The zone in which its days begin.
    ///   - guide: The identifier of its channel in the program guide. Default: `id`.
    package init(
        id: EntityID<BroadcastChannel>,
        name: String? = nil,
        timeZone: TimeZone = .gmt,
        guide: EntityID<BroadcastChannel>? = nil
    ) {
        (self.id, self.name, self.guide) = (id, name ?? id.rawValue, guide ?? id)
        self.timeZone = timeZone == .gmt ? "UTC" : timeZone.identifier
    }

    /// The time zone in which its days begin; UTC if the system does not know the identifier.
    package var zone: TimeZone { timeZone == "UTC" ? .gmt : TimeZone(identifier: timeZone) ?? .gmt }
}
