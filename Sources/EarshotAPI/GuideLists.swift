package import EarshotBroadcast

/// The response with works: films, episodes and advertisements.
package struct WorkList: Hashable, Sendable, Codable {
    /// The works that were found.
    package var works: [VideoWork]

    /// Creates a response.
    package init(_ works: [VideoWork]) { self.works = works }
}

/// The response with programs of a broadcast guide.
package struct ProgramList: Hashable, Sendable, Codable {
    /// The programs that were found.
    package var programs: [Program]

    /// Creates a response.
    package init(_ programs: [Program]) { self.programs = programs }
}

/// The response with channels of a broadcast guide.
package struct ChannelList: Hashable, Sendable, Codable {
    /// The channels that were found.
    package var channels: [BroadcastChannel]

    /// Creates a response.
    package init(_ channels: [BroadcastChannel]) { self.channels = channels }
}

/// The response with airings: programs on channels, with their times.
package struct AiringList: Hashable, Sendable, Codable {
    /// The airings, ordered by start.
    package var airings: [Airing]

    /// Creates a response.
    package init(_ airings: [Airing]) { self.airings = airings }
}
