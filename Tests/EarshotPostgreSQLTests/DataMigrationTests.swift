import EarshotBroadcast
import EarshotCore
import EarshotFingerprints
import EarshotMigration
import EarshotMusic
import EarshotPieces
import EarshotRecognition
import EarshotSQLite
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import EarshotPostgreSQL

@Suite("Data from a folder to PostgreSQL and back", .enabled(if: TestDatabase.address != nil), .timeLimit(.minutes(10)))
struct DataMigrationTests {
    private typealias Part = MigrationTable.Part

    private static func files(_ folder: URL) -> [Part: URL] {
        Dictionary(
            uniqueKeysWithValues: Part.allCases.map { ($0, folder.appendingPathComponent("\($0.rawValue).sqlite")) }
        )
    }

    private static func database(
        _ folder: URL,
        _ access: SQLiteMigrationDatabase.Access
    ) -> SQLiteMigrationDatabase {
        SQLiteMigrationDatabase(folder: folder, files: files(folder), access: access)
    }

    private static func move(
        from source: any MigrationDatabase,
        to target: any MigrationDatabase,
        tables: [MigrationTable] = MigrationTable.all
    ) async throws -> [DataMigration.Outcome] {
        try await DataMigration(from: source, to: target, tables: tables).run(origin: source.name) { _ in }
    }

    /// Moves what is in a folder to PostgreSQL, and from there to another folder.
    private static func roundTrip(
        _ fill: (URL) async throws -> Void,
        then check: (PostgreSQLPool, URL) async throws -> Void = { _, _ in }
    ) async throws {
        try await TestDatabase.run { options in
            try await withTemporaryFolder { folder in
                let (first, second) = (folder.appendingPathComponent("first"), folder.appendingPathComponent("second"))
                for folder in [first, second] {
                    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
                }
                try await fill(first)
                let pool = PostgreSQLPool(options)
                let there = try await move(
                    from: database(first, .reading),
                    to: PostgreSQLMigrationDatabase(filling: pool)
                )
                let back = try await move(
                    from: PostgreSQLMigrationDatabase(reading: pool),
                    to: database(second, .writing)
                )
                // The identifier of a store of fingerprints is there without fingerprints too.
                #expect(there == back.filter { $0.table != "fingerprint_store" || there.contains($0) })
                try await check(pool, second)
            }
        }
    }

    @Test("accounts come back as they were", arguments: AccountStoreRule.all)
    func accounts(rule: AccountStoreRule) async throws {
        try await Self.roundTrip { folder in
            try await rule.check(SQLiteAccountStore(url: folder.appendingPathComponent("accounts.sqlite")))
        }
    }

    @Test("pieces come back as they were", arguments: PieceStoreRule.all)
    func pieces(rule: PieceStoreRule) async throws {
        try await Self.roundTrip { folder in
            try await rule.check(SQLitePieceStore(url: folder.appendingPathComponent("pieces.sqlite")))
        }
    }

    @Test("logs of plays come back as they were", arguments: PlaylogStoreRule.all)
    func playlog(rule: PlaylogStoreRule) async throws {
        try await Self.roundTrip { folder in
            try await rule.check(SQLitePlaylogStore(url: folder.appendingPathComponent("playlog.sqlite")))
        } then: { pool, folder in
            guard FileManager.default.fileExists(atPath: folder.appendingPathComponent("playlog.sqlite").path) else {
                return
            }
            let here = try await SQLitePlaylogStore(url: folder.appendingPathComponent("playlog.sqlite")).counts()
            #expect(try await PostgreSQLPlaylogStore(pool).counts() == here)
        }
    }

    @Test("fingerprints come back as they were", arguments: FingerprintTrackStoreRule.all)
    func fingerprints(rule: FingerprintTrackStoreRule) async throws {
        try await Self.roundTrip { folder in
            try await rule.check(SQLiteFingerprintStore(url: folder.appendingPathComponent("fingerprints.sqlite")))
        } then: { pool, folder in
            let here = try SQLiteFingerprintStore(url: folder.appendingPathComponent("fingerprints.sqlite"))
            #expect(try await PostgreSQLFingerprintStore(pool).counts() == here.counts())
            #expect(try await PostgreSQLFingerprintStore(pool).id() == here.id())
        }
    }

    @Test("guides come back as they were, and titles are found", arguments: GuideStoreRule.all)
    func guide(rule: GuideStoreRule) async throws {
        try await Self.roundTrip { folder in
            try await rule.check(SQLiteGuideStore(url: folder.appendingPathComponent("guide.sqlite")))
        }
    }

    @Test("music comes back as it was, with all by which it is found", arguments: MusicStoreRule.all)
    func music(rule: MusicStoreRule) async throws {
        try await Self.roundTrip { folder in
            try await rule.check(SQLiteMusicStore(url: folder.appendingPathComponent("music.sqlite")))
        } then: { pool, folder in
            let there = try await PostgreSQLMusicStore(pool)
            #expect(try await there.check() == [])
            let url = folder.appendingPathComponent("music.sqlite")
            guard FileManager.default.fileExists(atPath: url.path) else { return }
            let here = try SQLiteMusicStore(url: url)
            #expect(try await here.check() == [])
            #expect(try await here.counts() == there.counts())
        }
    }

    // MARK: - All at once

    private static func fill(_ folder: URL) async throws {
        let files = files(folder)
        func url(_ part: Part) throws -> URL { try #require(files[part]) }
        let accounts = try SQLiteAccountStore(url: try url(.accounts))
        try await accounts.put(AccountStoreRule.client("12345678"))
        for number in 0..<7 { try await accounts.setValue(Data([UInt8(number), 0]), for: "key \(number)") }
        let music = try SQLiteMusicStore(url: try url(.music))
        try await music.apply([
            .artist(Artist(id: "ar", name: Name("Foxes"))),
            .album(Album(id: "al", title: Name("Morning Rail"), credits: [ArtistCredit("Foxes", artist: "ar")])),
        ])
        try await music.apply(
            (0..<5).map { number in
                var track = Track(id: EntityID("t\(number)"), title: Name("Song number \(number)"))
                track.credits = [ArtistCredit("Foxes", artist: "ar")]
                track.popularity = Double(number % 3) / 3
                return .track(track)
            } + [
                .lyrics(Lyrics(id: "w", tracks: ["t0"], lines: [.init("over the hill")])), .checkpoint("x", value: "1"),
            ]
        )
        try await music.apply([.mergeTrack("t4", into: "t3")])
        let fingerprints = try SQLiteFingerprintStore(url: try url(.fingerprints))
        for rule in FingerprintTrackStoreRule.all where rule.testDescription.contains("a merged track leads") {
            try await rule.check(fingerprints)
        }
        for rule in GuideStoreRule.all where rule.testDescription.contains("Titles are found by all") {
            try await rule.check(SQLiteGuideStore(url: try url(.guide)))
        }
        for rule in PlaylogStoreRule.all where rule.testDescription.contains("A gap opens") {
            try await rule.check(SQLitePlaylogStore(url: try url(.playlog)))
        }
    }

    @Test("a migration that was interrupted after any number of steps goes on, both ways")
    func interrupted() async throws {
        try await TestDatabase.run { options in
            try await withTemporaryFolder { folder in
                let (first, second) = (folder.appendingPathComponent("first"), folder.appendingPathComponent("second"))
                for folder in [first, second] {
                    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
                }
                try await Self.fill(first)
                // Each record is a step of its own.
                let tables = MigrationTable.all.map { table in
                    var table = table
                    table.batch = 1
                    return table
                }
                func attempt(
                    _ steps: Int,
                    _ source: any MigrationDatabase,
                    _ target: any MigrationDatabase
                ) async throws -> [DataMigration.Outcome]? {
                    let left = Mutex(steps)
                    let task = Task {
                        try await DataMigration(from: source, to: target, tables: tables).run(origin: "first") { _ in
                            let isOver = left.withLock { left in
                                left -= 1
                                return left < 0
                            }
                            if isOver { withUnsafeCurrentTask { $0?.cancel() } }
                        }
                    }
                    do {
                        return try await task.value
                    } catch let error as EarshotError where error.code == .cancelled {
                        return nil
                    }
                }
                func migrate(
                    _ source: () async throws -> any MigrationDatabase,
                    _ target: () async throws -> any MigrationDatabase
                ) async throws -> [DataMigration.Outcome] {
                    // The last attempt is not interrupted.
                    for steps in [0, 1, 2, 5, 9, 9, 9, 9, 13, 14, 15, 16, 17, 40, 80] {
                        #expect(try await attempt(steps, try await source(), try await target()) == nil)
                        let origin = try await target().origin()
                        #expect(origin == "first")
                    }
                    return try #require(try await attempt(.max, try await source(), try await target()))
                }
                let pool = PostgreSQLPool(options)
                let there = try await migrate(
                    { Self.database(first, .reading) },
                    { try await PostgreSQLMigrationDatabase(filling: pool) }
                )
                #expect(try await PostgreSQLMigrationDatabase.origin(pool) == nil)
                let back = try await migrate(
                    { try await PostgreSQLMigrationDatabase(reading: pool) },
                    { Self.database(second, .writing) }
                )
                #expect(there == back)
                #expect(there.contains { $0.table == "music_track" && $0.records == 4 })
                #expect(try SQLiteMigrationDatabase.origin(in: second) == nil)
                #expect(try await PostgreSQLMusicStore(pool).check() == [])
                let music = try SQLiteMusicStore(url: second.appendingPathComponent("music.sqlite"))
                #expect(try await music.check() == [])
                let hits = try await music.search(Self.query)
                let before = try SQLiteMusicStore(url: first.appendingPathComponent("music.sqlite"))
                let expected = try await before.search(Self.query)
                #expect(expected.count == 4 && hits == expected)
                let far = try await PostgreSQLMusicStore(pool).search(Self.query)
                #expect(far == expected)
            }
        }
    }

    private static let query = MusicQuery(artist: "foxes", track: "song number")

    private static func submissions(_ count: Int) -> [FingerprintSubmission] {
        (0..<count).map { FingerprintTrackStoreRule.submission("text \($0)", "somebody", nil) }
    }

    @Test("numbers go on after those of the source")
    func numbers() async throws {
        let match = HistorySamples.match("Lantern")
        try await Self.roundTrip { folder in
            let accounts = try SQLiteAccountStore(url: folder.appendingPathComponent("accounts.sqlite"))
            try await accounts.put(AccountStoreRule.client("12345678"))
            try await accounts.put(AccountStoreRule.user("u", of: "12345678"))
            for _ in 0..<3 {
                try await accounts.addHistory(of: "u", date: Date(), kind: "x", match: match, limit: 2)
            }
            try await accounts.removeHistory(of: "u", entry: 3)
            let fingerprints = try SQLiteFingerprintStore(url: folder.appendingPathComponent("fingerprints.sqlite"))
            #expect(try await fingerprints.submit(Self.submissions(3)) == [1, 2, 3])
        } then: { pool, folder in
            let there = try await PostgreSQLAccountStore(pool)
            #expect(try await there.addHistory(of: "u", date: Date(), kind: "x", match: match, limit: 9).id == 4)
            let here = try SQLiteAccountStore(url: folder.appendingPathComponent("accounts.sqlite"))
            #expect(try await here.addHistory(of: "u", date: Date(), kind: "x", match: match, limit: 9).id == 4)
            #expect(try await PostgreSQLFingerprintStore(pool).submit(Self.submissions(1)) == [4])
            let file = try SQLiteFingerprintStore(url: folder.appendingPathComponent("fingerprints.sqlite"))
            #expect(try await file.submit(Self.submissions(1)) == [4])
        }
    }

    // MARK: - Refusals

    @Test("a target with data of its own, or with a part of another source, is refused")
    func refused() async throws {
        try await TestDatabase.run { options in
            try await withTemporaryFolder { folder in
                let (pool, source) = (PostgreSQLPool(options), Self.database(folder, .reading))
                try await Self.fill(folder)
                let store = try await PostgreSQLAccountStore(pool)
                try await store.setValue(Data([1]), for: "own")
                let target = try await PostgreSQLMigrationDatabase(filling: pool)
                let own = await #expect(throws: EarshotError.self) { try await Self.move(from: source, to: target) }
                #expect(own?.code == .destinationExists)
                #expect(try await target.origin() == nil)
                try await store.setValue(nil, for: "own")
                try await target.setOrigin("another folder")
                let other = await #expect(throws: EarshotError.self) { try await Self.move(from: source, to: target) }
                #expect(other?.code == .destinationExists)
                try await target.setOrigin(source.name)
                #expect(try await Self.move(from: source, to: target).isEmpty == false)
                let whole = await #expect(throws: EarshotError.self) { try await Self.move(from: source, to: target) }
                #expect(whole?.code == .destinationExists)
            }
        }
    }

    @Test("a source is not changed: files that are not there are not made, and those of older versions are refused")
    func source() async throws {
        try await TestDatabase.run { options in
            try await withTemporaryFolder { folder in
                let target = try await PostgreSQLMigrationDatabase(filling: PostgreSQLPool(options))
                let moved = try await Self.move(from: Self.database(folder, .reading), to: target)
                #expect(moved.isEmpty)
                #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
                try Data().write(to: folder.appendingPathComponent("accounts.sqlite"))
                let error = await #expect(throws: EarshotError.self) {
                    try await Self.move(from: Self.database(folder, .reading), to: target)
                }
                #expect(error?.code == .storeDamaged)
            }
        }
    }

    @Test("a source in PostgreSQL is read by others while it is locked, and changed by none")
    func locked() async throws {
        try await TestDatabase.run { options in
            let store = try await PostgreSQLAccountStore(PostgreSQLPool(options))
            try await store.setValue(Data([1]), for: "a")
            var impatient = options
            // Long enough for the lock under which the tests beside this one make their tables.
            impatient.lockTime = 3_000
            let other = try await PostgreSQLAccountStore(PostgreSQLPool(impatient))
            do {
                let source = try await PostgreSQLMigrationDatabase(reading: PostgreSQLPool(options))
                try await source.lock()
                let error = await #expect(throws: EarshotError.self) { try await other.setValue(Data([2]), for: "a") }
                #expect(error?.code == .storeUnavailable)
                #expect(try await other.value("a") == Data([1]))
                withExtendedLifetime(source) {}
            }
            try await store.setValue(Data([3]), for: "a")
            #expect(try await other.value("a") == Data([3]))
        }
    }

    @Test("a record that is lost on the way is told, and the migration has not ended")
    func lost() async throws {
        try await TestDatabase.run { options in
            try await withTemporaryFolder { folder in
                try await Self.fill(folder)
                let pool = PostgreSQLPool(options)
                let target = LossyDatabase(base: try await PostgreSQLMigrationDatabase(filling: pool), table: "value")
                let error = await #expect(throws: EarshotError.self) {
                    try await Self.move(from: Self.database(folder, .reading), to: target)
                }
                #expect(error?.code == .storeDamaged)
                #expect(error?.message.contains("value differs: the source has 7 records, the target 6") == true)
                #expect(try await target.origin() == folder.path)
            }
        }
    }
}

/// A database that loses the last record of a table.
private struct LossyDatabase: MigrationDatabase {
    let base: any MigrationDatabase
    let table: String

    var name: String { base.name }
    func count(_ table: MigrationTable) async throws(EarshotError) -> Int { try await base.count(table) }
    func records(
        _ table: MigrationTable,
        after key: MigrationRecord?,
        limit: Int
    ) async throws(EarshotError) -> [MigrationRecord] { try await base.records(table, after: key, limit: limit) }
    func lastKey(_ table: MigrationTable) async throws(EarshotError) -> MigrationRecord? {
        try await base.lastKey(table)
    }
    func add(_ records: [MigrationRecord], to table: MigrationTable) async throws(EarshotError) {
        try await base.add(table.name == self.table ? records.dropLast() : records, to: table)
    }
    func origin() async throws(EarshotError) -> String? { try await base.origin() }
    func setOrigin(_ origin: String?) async throws(EarshotError) { try await base.setOrigin(origin) }
    func finish() async throws(EarshotError) { try await base.finish() }
}
