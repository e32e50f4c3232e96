package import EarshotCore

/// Creates airings from the rows of a database. Channels and programs that several rows name are decoded once.
package struct AiringDecoder {
    /// An entity of a row: its key in the database, and its JSON.
    package typealias Entity = (key: Int64, text: String)

    private var channels: [Int64: BroadcastChannel] = [:]
    private var programs: [Int64: Program] = [:]

    /// Creates a decoder without decoded channels and programs.
    package init() {}

    /// Returns the airing of a row, without external identifiers. The times are in milliseconds since 1970.
    ///
    /// - Throws: `storeDamaged` if the JSON cannot be decoded.
    package mutating func airing(
        of channel: Entity,
        showing program: Entity,
        milliseconds: (start: Int64, end: Int64),
        isLive: Bool,
        isRepeat: Bool
    ) throws(EarshotError) -> Airing {
        Airing(
            start: GuideSlot.date(milliseconds.start),
            end: GuideSlot.date(milliseconds.end),
            channel: try self.channel(channel),
            program: try self.program(program),
            isLive: isLive,
            isRepeat: isRepeat
        )
    }

    private mutating func channel(_ entity: Entity) throws(EarshotError) -> BroadcastChannel {
        if let channel = channels[entity.key] { return channel }
        let channel: BroadcastChannel = try GuideRecord.value(entity.text)
        channels[entity.key] = channel.showing(links: false)
        return channel.showing(links: false)
    }

    private mutating func program(_ entity: Entity) throws(EarshotError) -> Program {
        if let program = programs[entity.key] { return program }
        let program: Program = try GuideRecord.value(entity.text)
        programs[entity.key] = program.showing(links: false)
        return program.showing(links: false)
    }
}
