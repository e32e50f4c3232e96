import EarshotCore
import EarshotMusic
import Foundation

/// Converts plays to a guide of actual broadcasts: channels and airings with their actual start and end, for an XMLTV
/// writer.
public enum AsRun {
    /// Returns a play as an airing; `nil` for a play that is not final or has no duration.
    ///
    /// The program is the work, or the reference if no work is known. Its subtitle is the artist, and its category is
    /// the kind.
    public static func airing(_ record: PlayRecord) -> Airing? {
        guard record.state == .final, record.end > record.start else { return nil }
        let reference = record.referenceID?.rawValue
        var program = Program(
            id: EntityID(record.workID ?? reference ?? record.id.rawValue),
            title: Name(record.title ?? reference ?? record.kind.rawValue),
            subtitle: record.artist.map { Name($0) }
        )
        program.categories = [record.kind.rawValue]
        if let duration = record.referenceDuration, (0..<1e9).contains(duration) {
            program.duration = Int((duration * 1_000).rounded())
        }
        if let isrc = record.isrc {
            program.externalIdentifiers = [ExternalIdentifier(source: "isrc", kind: "recording", value: isrc)]
        }
        return Airing(start: record.start, end: record.end, channel: channel(record.channel), program: program)
    }

    /// Returns plays as a guide.
    ///
    /// - Parameter records: The plays, in any order.
    /// - Returns: The channels, each once, in order of their identifiers; the airings by channel and start. Plays in
    ///   progress are left out.
    public static func guide(_ records: some Sequence<PlayRecord>) -> (channels: [BroadcastChannel], airings: [Airing])
    {
        let airings = records.compactMap(airing).sorted { left, right in
            guard left.channel.id == right.channel.id else { return left.channel.id < right.channel.id }
            return (left.start, left.end) < (right.start, right.end)
        }
        var channels: [BroadcastChannel] = []
        for airing in airings where airing.channel.id != channels.last?.id { channels.append(airing.channel) }
        return (channels, airings)
    }

    private static func channel(_ channel: PlayChannel) -> BroadcastChannel {
        BroadcastChannel(id: channel.id, name: Name(channel.name))
    }
}
