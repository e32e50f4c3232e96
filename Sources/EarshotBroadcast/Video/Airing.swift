public import Foundation

/// One broadcast of a programme on a channel.
public struct Airing: Hashable, Sendable, Codable {
    /// When it begins.
    public var start: Date
    /// When it ends.
    public var end: Date
    /// Where it is broadcast.
    public var channel: BroadcastChannel
    /// What is broadcast.
    public var program: Program
    /// `true` if it is announced as live.
    public var isLive: Bool
    /// `true` if it was shown before.
    public var isRepeat: Bool

    /// A broadcast.
    ///
    /// - Parameters:
    ///   - start: When it begins.
    ///   - end: When it ends.
    ///   - channel: Where it is broadcast.
    ///   - program: What is broadcast.
    ///   - isLive: `true` if it is announced as live.
    ///   - isRepeat: `true` if it was shown before.
    public init(
        start: Date,
        end: Date,
        channel: BroadcastChannel,
        program: Program,
        isLive: Bool = false,
        isRepeat: Bool = false
    ) {
        self.start = start
        self.end = end
        self.channel = channel
        self.program = program
        self.isLive = isLive
        self.isRepeat = isRepeat
    }
}

extension Airing {
    /// Reads a broadcast; one that says nothing of it is neither live nor a repeat.
    ///
    /// - Throws: `DecodingError` for what is no broadcast.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            start: try values.decode(Date.self, forKey: .start),
            end: try values.decode(Date.self, forKey: .end),
            channel: try values.decode(BroadcastChannel.self, forKey: .channel),
            program: try values.decode(Program.self, forKey: .program),
            isLive: try values.decodeIfPresent(Bool.self, forKey: .isLive) ?? false,
            isRepeat: try values.decodeIfPresent(Bool.self, forKey: .isRepeat) ?? false
        )
    }
}
