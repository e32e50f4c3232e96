import EarshotCore

/// Values as they stand in playlists.
enum PlaylistValue {
    /// A text without spaces around it; `nil` for one that is empty.
    static func text(_ text: some StringProtocol) -> String? {
        let start = text.drop(while: \.isWhitespace)
        guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return nil }
        return String(start[...last])
    }

    /// A duration in seconds, with or without a fraction; `nil` for -1 and 0, which say that it is not known.
    static func duration(_ text: some StringProtocol) -> MediaTime? {
        guard let text = self.text(text), text.utf8.count <= 20 else { return nil }
        if let seconds = Int64(text) {
            return 1...maximumSeconds ~= seconds ? MediaTime(value: seconds, timescale: 1) : nil
        }
        guard let seconds = Double(text), seconds > 0, seconds <= Double(maximumSeconds) else { return nil }
        return positive(MediaTime(seconds: seconds, preferredTimescale: 1_000))
    }

    /// A duration in milliseconds; `nil` for 0.
    static func milliseconds(_ text: some StringProtocol) -> MediaTime? {
        guard let text = self.text(text), let number = Int64(text), 1...(maximumSeconds * 1_000) ~= number else {
            return nil
        }
        return MediaTime(value: number, timescale: 1_000)
    }

    /// A number from 1 on.
    static func number(_ text: some StringProtocol) -> Int? {
        self.text(text).flatMap { Int($0) }.flatMap { 1...10_000_000 ~= $0 ? $0 : nil }
    }

    private static func positive(_ time: MediaTime) -> MediaTime? { time > .zero ? time : nil }

    /// A year: nothing that is played once lasts longer.
    private static let maximumSeconds: Int64 = 31_622_400
}
