import ArgumentParser
import EarshotCore
import EarshotMusic
import EarshotPostgreSQL
import EarshotSQLite
import Foundation

/// How fast music comes into a store, how large that becomes, and how soon a search is answered.
@main
struct Music: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "music",
        abstract: "Bring a dump into a store and search it.",
        discussion: """
            The folder is one that scripts/data/make-music-dump made. A database that has tracks already is only searched. With --beside both \
            databases are measured, and it is an error if the second one takes longer than --factor allows, in the middle or in the \
            worst of a hundred, for any kind of search.
            """
    )

    @Argument(help: "The folder of the dump.") var folder: String
    @Option(help: "The database: a file, or the address of one in PostgreSQL.") var database: String
    @Option(help: "Another one, which is compared with the first.") var beside: String?
    @Option(help: "How many times longer the other one may take.") var factor = 3.0
    @Option(help: "Times in milliseconds that are not compared: what is below is soon enough.") var floor = 5.0
    @Option(help: "Searches of each kind.") var searches = 200
    @Option(help: "Lines that are written at once.") var batch = 500

    /// The times of a kind of searches, in milliseconds.
    struct Times {
        var middle: Double
        var worst: Double
    }

    func run() async throws {
        let first = try await measure(database)
        guard let beside else { return }
        let second = try await measure(beside)
        print("search times-p50 times-p99")
        var isSlow = false
        for (name, own) in second.sorted(by: { $0.key < $1.key }) {
            guard let other = first[name] else { continue }
            let middle = own.middle / max(other.middle, 0.001)
            let worst = own.worst / max(other.worst, 0.001)
            print(String(format: "%@: %.2f, %.2f", name, middle, worst))
            if own.middle > floor && middle > factor || own.worst > floor && worst > factor { isSlow = true }
        }
        if isSlow { throw ExitCode.failure }
    }

    private func measure(_ place: String) async throws -> [String: Times] {
        let (store, size) = try await open(place)
        if try await store.counts().tracks == 0 { try await bringIn(to: store) }
        let counts = try await store.counts()
        let bytes = try await size()
        print("artists \(counts.artists), albums \(counts.albums), tracks \(counts.tracks), lyrics \(counts.lyrics)")
        print(
            String(
                format: "database %.0f MB, %.0f bytes a track",
                Double(bytes) / 1e6,
                Double(bytes) / Double(max(1, counts.tracks))
            )
        )
        return try await search(store)
    }

    /// The store at a place, and what tells its size in bytes.
    private func open(_ place: String) async throws -> (any MusicStore, () async throws -> Int) {
        guard let options = PostgreSQLOptions(ifAddress: place) else {
            let url = URL(fileURLWithPath: place)
            print(url.lastPathComponent)
            return (
                try SQLiteMusicStore(url: url),
                { ["", "-wal"].reduce(0) { $0 + Self.size(url.path + $1) } }
            )
        }
        print(options.name)
        let pool = try await PostgreSQLPool.connected(options)
        return (
            try await PostgreSQLMusicStore(pool),
            {
                try await pool.read { connection in
                    try connection.row("SELECT pg_database_size(current_database()) AS size")?.integer("size") ?? 0
                }
            }
        )
    }

    private func bringIn(to store: any MusicStore) async throws {
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

    private func search(_ store: any MusicStore) async throws -> [String: Times] {
        var times: [String: Times] = [:]
        let titles = try titles()
        let fragments = try fragments()
        func word(_ text: String, _ index: Int) -> String {
            let words = text.split(separator: " ")
            return words.isEmpty ? text : String(words[index % words.count])
        }
        print("search found p50-ms p99-ms max-ms")
        times["a word"] = try await measure("a word") { index in
            try await store.search(MusicQuery(track: word(titles[index % titles.count], index))).count
        }
        times["two words"] = try await measure("two words") { index in
            let title = titles[index % titles.count]
            return try await store.search(MusicQuery(word(title, index) + " " + word(title, index + 1))).count
        }
        times["a whole title"] = try await measure("a whole title") { index in
            try await store.search(MusicQuery(track: titles[index % titles.count])).count
        }
        let prefixes = ["l", "lo", "lov", "th", "the", "s", "st", "da", "ni", "me"]
        times["a common prefix"] = try await measure("a common prefix") { index in
            try await store.search(MusicQuery(prefixes[index % prefixes.count], isTyping: true)).count
        }
        times["the, and a prefix"] = try await measure("the, and a prefix") { index in
            let prefix = prefixes[index % prefixes.count]
            return try await store.search(MusicQuery("the " + prefix, isTyping: true)).count
        }
        times["a mistyped word"] = try await measure("a mistyped word") { index in
            var letters = Array(word(titles[index % titles.count], index))
            if letters.count > 4 { letters.remove(at: letters.count / 2) }
            return try await store.search(MusicQuery(track: String(letters) + "q")).count
        }
        guard !fragments.isEmpty else { return times }
        times["a fragment of lyrics"] = try await measure("a fragment of lyrics") { index in
            let words = fragments[index % fragments.count].split(separator: " ").dropFirst(index % 3).prefix(5)
            return try await store.search(LyricQuery(words.joined(separator: " "))).count
        }
        times["a fragment, one word wrong"] = try await measure("a fragment, one word wrong") { index in
            var words = fragments[index % fragments.count].split(separator: " ").prefix(6).map(String.init)
            if words.count > 3 { words[2] = "xylophones" }
            return try await store.search(LyricQuery(words.joined(separator: " "))).count
        }
        return times
    }

    private func measure(_ name: String, _ body: (Int) async throws -> Int) async throws -> Times {
        var times: [Double] = []
        var found = 0
        for index in 0..<searches {
            let start = ContinuousClock().now
            found += try await body(index) > 0 ? 1 : 0
            times.append((ContinuousClock().now - start) / .milliseconds(1))
        }
        times.sort()
        let result = Times(
            middle: times[times.count / 2],
            worst: times[min(times.count - 1, times.count * 99 / 100)]
        )
        print(
            String(
                format: "%@: %d of %d, %.1f, %.1f, %.1f",
                name,
                found,
                searches,
                result.middle,
                result.worst,
                times.last ?? 0
            )
        )
        return result
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
