import ArgumentParser
import EarshotCore
import EarshotMusic
import EarshotSQLite
import Foundation

/// How fast music comes into a store, how large that becomes, and how soon a search is answered.
@main
struct Music: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "music",
        abstract: "Bring a dump into a store and search it.",
        discussion:
            "The folder is one that scripts/data/make-music-dump made. A database that is there already is only searched."
    )

    @Argument(help: "The folder of the dump.") var folder: String
    @Option(help: "The database.") var database: String
    @Option(help: "Searches of each kind.") var searches = 200
    @Option(help: "Lines that are written at once.") var batch = 500

    func run() async throws {
        let url = URL(fileURLWithPath: database)
        let isNew = !FileManager.default.fileExists(atPath: url.path)
        let store = try SQLiteMusicStore(url: url)
        if isNew { try await bringIn(to: store) }
        let counts = try await store.counts()
        let size = ["", "-wal"].reduce(0) { $0 + Self.size(url.path + $1) }
        print("artists \(counts.artists), albums \(counts.albums), tracks \(counts.tracks), lyrics \(counts.lyrics)")
        print(
            String(
                format: "database %.0f MB, %.0f bytes a track",
                Double(size) / 1e6,
                Double(size) / Double(max(1, counts.tracks))
            )
        )
        try await search(store)
    }

    private func bringIn(to store: SQLiteMusicStore) async throws {
        let reader = MusicBrainzReader()
        let importing = MusicImport(into: store, batchSize: batch)
        for kind in MusicBrainzReader.Kind.allCases {
            let (clock, start, before) = (ContinuousClock(), ContinuousClock().now, Self.processor())
            let done = try await importing.run("\(folder)/\(kind.rawValue)") { line throws(EarshotError) in
                try reader.changes(in: line, of: kind)
            }
            let seconds = (clock.now - start) / .seconds(1)
            print(
                String(
                    format: "%@: %d entries in %.1f s, %.0f a second, %.1f s of processor time",
                    kind.rawValue,
                    done.changes,
                    seconds,
                    Double(done.changes) / seconds,
                    Self.processor() - before
                )
            )
        }
        let start = ContinuousClock().now
        var count = 0
        try await importing.run("\(folder)/lyrics.tsv") { line throws(EarshotError) in
            let fields = String(decoding: line, as: UTF8.self).split(separator: "\t", maxSplits: 1)
            guard fields.count == 2 else { throw EarshotError(.metadataInvalid, "The line has no tabulator.") }
            let lines = fields[1].split(separator: "/").map { Lyrics.Line($0.trimmingCharacters(in: .whitespaces)) }
            return [.lyrics(Lyrics(id: EntityID("l" + fields[0]), tracks: [EntityID(String(fields[0]))], lines: lines))]
        }
        count = try await store.counts().lyrics
        print(String(format: "lyrics: %d in %.1f s", count, (ContinuousClock().now - start) / .seconds(1)))
    }

    // MARK: - Searches

    private func search(_ store: SQLiteMusicStore) async throws {
        let titles = try titles()
        let fragments = try fragments()
        func word(_ text: String, _ index: Int) -> String {
            let words = text.split(separator: " ")
            return words.isEmpty ? text : String(words[index % words.count])
        }
        print("search found p50-ms p99-ms max-ms")
        try await measure("a word") { index in
            try await store.search(MusicQuery(track: word(titles[index % titles.count], index))).count
        }
        try await measure("two words") { index in
            let title = titles[index % titles.count]
            return try await store.search(MusicQuery(word(title, index) + " " + word(title, index + 1))).count
        }
        try await measure("a whole title") { index in
            try await store.search(MusicQuery(track: titles[index % titles.count])).count
        }
        let prefixes = ["l", "lo", "lov", "th", "the", "s", "st", "da", "ni", "me"]
        try await measure("a common prefix") { index in
            try await store.search(MusicQuery(prefixes[index % prefixes.count], isTyping: true)).count
        }
        try await measure("the, and a prefix") { index in
            let prefix = prefixes[index % prefixes.count]
            return try await store.search(MusicQuery("the " + prefix, isTyping: true)).count
        }
        try await measure("a mistyped word") { index in
            var letters = Array(word(titles[index % titles.count], index))
            if letters.count > 4 { letters.remove(at: letters.count / 2) }
            return try await store.search(MusicQuery(track: String(letters) + "q")).count
        }
        guard !fragments.isEmpty else { return }
        try await measure("a fragment of lyrics") { index in
            let words = fragments[index % fragments.count].split(separator: " ").dropFirst(index % 3).prefix(5)
            return try await store.search(LyricQuery(words.joined(separator: " "))).count
        }
        try await measure("a fragment, one word wrong") { index in
            var words = fragments[index % fragments.count].split(separator: " ").prefix(6).map(String.init)
            if words.count > 3 { words[2] = "xylophones" }
            return try await store.search(LyricQuery(words.joined(separator: " "))).count
        }
    }

    private func measure(_ name: String, _ body: (Int) async throws -> Int) async throws {
        var times: [Double] = []
        var found = 0
        for index in 0..<searches {
            let start = ContinuousClock().now
            found += try await body(index) > 0 ? 1 : 0
            times.append((ContinuousClock().now - start) / .milliseconds(1))
        }
        times.sort()
        print(
            String(
                format: "%@: %d of %d, %.1f, %.1f, %.1f",
                name,
                found,
                searches,
                times[times.count / 2],
                times[min(times.count - 1, times.count * 99 / 100)],
                times.last ?? 0
            )
        )
    }

    /// Titles out of the dump, some of many.
    private func titles() throws -> [String] {
        struct Release: Decodable {
            struct Medium: Decodable {
                struct Track: Decodable { var title: String }
                var tracks: [Track]
            }
            var media: [Medium]
        }
        return try sample("release").compactMap { line in
            try JSONDecoder().decode(Release.self, from: Data(line.utf8)).media.first?.tracks.first?.title
        }
    }

    private func fragments() throws -> [String] {
        try sample("lyrics.tsv").compactMap { line in
            line.split(separator: "\t").last?.split(separator: "/").first.map {
                $0.trimmingCharacters(in: .whitespaces)
            }
        }
    }

    /// The first lines of a file.
    private func sample(_ name: String) throws -> [Substring] {
        let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: "\(folder)/\(name)"))
        let text = String(decoding: try handle.read(upToCount: 4 << 20) ?? Data(), as: UTF8.self)
        return Array(text.split(separator: "\n").dropLast().prefix(searches))
    }

    private static func size(_ path: String) -> Int {
        ((try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int) ?? 0
    }

    private static func processor() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
