public import Foundation

/// One broadcast of a program on a channel.
public struct Airing: Hashable, Sendable, Codable {
    /// The start.
    public var start: Date
    /// The end.
    public var end: Date
    /// The channel.
    public var channel: BroadcastChannel
    /// The program.
    public var program: Program
    /// `true` if it is announced as live.
    public var isLive: Bool
    /// `true` if the program was shown before.
    public var isRepeat: Bool

    /// Creates an airing.
    ///
    /// - Parameters:
    ///   - start: The start.
    ///   - end: The end.
    ///   - channel: The channel.
    ///   - program: The program.
    ///   - isLive: `true` if it is announced as live.
    ///   - isRepeat: `true` if the program was shown before.
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
    /// Decodes an airing. Missing flags are `false`.
    ///
    /// - Throws: `DecodingError` if the data is not an airing.
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
