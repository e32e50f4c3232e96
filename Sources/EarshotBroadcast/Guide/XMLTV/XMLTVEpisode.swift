/// Episode numbers in the form of XMLTV's `xmltv_ns`: `1.4.0/2` is season 2, episode 5, part 1 of 2.
enum XMLTVEpisode {
    /// Parses numbers into a position in a series; invalid numbers are ignored.
    static func read(_ text: String, into episode: inout Program.Episode) {
        let parts = text.split(separator: ".", maxSplits: 2, omittingEmptySubsequences: false)
        func pair(_ place: Int) -> (Int?, Int?) {
            guard place < parts.count else { return (nil, nil) }
            let numbers = parts[place].split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
            let total = numbers.count == 2 ? number(numbers[1]) : nil
            return (number(numbers[0]), total == 0 ? nil : total)
        }
        (episode.season, episode.seasonCount) = pair(0)
        (episode.episode, episode.episodeCount) = pair(1)
        (episode.part, episode.partCount) = pair(2)
    }

    /// Returns the numbers of a position in a series; `nil` if it has none.
    static func text(_ episode: Program.Episode) -> String? {
        let pairs = [
            (episode.season, episode.seasonCount), (episode.episode, episode.episodeCount),
            (episode.part, episode.partCount),
        ]
        guard pairs.contains(where: { $0.0 != nil || $0.1 != nil }) else { return nil }
        return pairs.map { number, total in
            (number.map(String.init) ?? "") + (total.map { "/\($0)" } ?? "")
        }
        .joined(separator: ".")
    }

    /// Parses `0/2`: the index of a part of a slot, and the number of parts.
    static func clump(_ text: String) -> (index: Int, count: Int)? {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false).map(number)
        guard parts.count == 2, let index = parts[0], let count = parts[1], (2...50).contains(count), index < count
        else { return nil }
        return (index, count)
    }

    private static func number(_ text: some StringProtocol) -> Int? {
        let digits = text.utf8.filter { $0 != 0x20 && $0 != 0x09 }
        guard (1...6).contains(digits.count), digits.allSatisfy({ $0 &- 0x30 < 10 }) else { return nil }
        return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }
}
