package import EarshotBroadcast

/// Works that a service knows.
package struct WorkList: Hashable, Sendable, Codable {
    /// The works.
    package var works: [VideoWork]

    /// A list.
    package init(_ works: [VideoWork]) { self.works = works }
}

/// Programmes that a service knows.
package struct ProgramList: Hashable, Sendable, Codable {
    /// The programmes.
    package var programs: [Program]

    /// A list.
    package init(_ programs: [Program]) { self.programs = programs }
}

/// Channels that a service knows.
package struct ChannelList: Hashable, Sendable, Codable {
    /// The channels.
    package var channels: [BroadcastChannel]

    /// A list.
    package init(_ channels: [BroadcastChannel]) { self.channels = channels }
}

/// The broadcasts that channels show.
package struct AiringList: Hashable, Sendable, Codable {
    /// The airings, in order of beginnings.
    package var airings: [Airing]

    /// A list.
    package init(_ airings: [Airing]) { self.airings = airings }
}
