public import EarshotBroadcast

/// Works that a service knows.
public struct WorkList: Hashable, Sendable, Codable {
    /// The works.
    public var works: [VideoWork]

    /// A list.
    public init(_ works: [VideoWork]) { self.works = works }
}

/// Programmes that a service knows.
public struct ProgramList: Hashable, Sendable, Codable {
    /// The programmes.
    public var programs: [Program]

    /// A list.
    public init(_ programs: [Program]) { self.programs = programs }
}

/// Channels that a service knows.
public struct ChannelList: Hashable, Sendable, Codable {
    /// The channels.
    public var channels: [BroadcastChannel]

    /// A list.
    public init(_ channels: [BroadcastChannel]) { self.channels = channels }
}

/// What channels show.
public struct AiringList: Hashable, Sendable, Codable {
    /// The airings, in order of beginnings.
    public var airings: [Airing]

    /// A list.
    public init(_ airings: [Airing]) { self.airings = airings }
}
