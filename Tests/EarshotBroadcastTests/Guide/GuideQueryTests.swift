import EarshotBroadcast
import EarshotCore
import EarshotMusic
import Foundation
import Synchronization
import TestSupport
import Testing

/// A guide that counts how often it is asked.
private final class CountingGuide: GuideSource {
    let store: MemoryGuideStore
    private let asked = Mutex(0)
    var count: Int { asked.withLock { $0 } }

    init(_ store: MemoryGuideStore) { self.store = store }

    private func counted() { asked.withLock { $0 += 1 } }

    func work(_ id: EntityID<VideoWork>, links: Bool) async throws(EarshotError) -> VideoWork? {
        counted()
        return try await store.work(id, links: links)
    }

    func program(_ id: EntityID<Program>, links: Bool) async throws(EarshotError) -> Program? {
        counted()
        return try await store.program(id, links: links)
    }

    func channel(_ id: EntityID<BroadcastChannel>, links: Bool) async throws(EarshotError) -> BroadcastChannel? {
        counted()
        return try await store.channel(id, links: links)
    }

    func channel(
        identifier: String,
        tag: String,
        source: BroadcastChannel.IdentifierSource,
        links: Bool
    ) async throws(EarshotError) -> BroadcastChannel? {
        counted()
        return try await store.channel(identifier: identifier, tag: tag, source: source, links: links)
    }

    func channels(links: Bool) async throws(EarshotError) -> [BroadcastChannel] {
        counted()
        return try await store.channels(links: links)
    }

    func airings(
        on channels: [EntityID<BroadcastChannel>]?,
        from start: Date,
        to end: Date,
        limit: Int
    ) async throws(EarshotError) -> [Airing] {
        counted()
        return try await store.airings(on: channels, from: start, to: end, limit: limit)
    }

    func airing(on channel: EntityID<BroadcastChannel>, at date: Date) async throws(EarshotError) -> Airing? {
        counted()
        return try await store.airing(on: channel, at: date)
    }
}

/// A cache that forgets nothing.
private final class PlainCache: MetadataCache {
    private let values = Mutex<[String: Data]>([:])
    func value(for key: String) async throws(EarshotError) -> Data? { values.withLock { $0[key] } }
    func store(_ value: Data, for key: String) async throws(EarshotError) { values.withLock { $0[key] = value } }
    func clear() async throws(EarshotError) { values.withLock { $0 = [:] } }
}

@Suite("Secondary queries")
struct GuideQueryTests {
    private func guide() async throws -> CountingGuide {
        let store = MemoryGuideStore()
        var work = VideoWork(id: "harbour", title: Name("Harbour"), kind: .film)
        work.synopsis = Name("A storm comes.")
        work.externalIdentifiers = [ExternalIdentifier(source: "imdb", kind: "title", value: "tt1")]
        let channel = BroadcastChannel(id: "7", tag: "t", name: Name("Seven"), callSign: "SVN")
        let program = Program(id: "p1", title: Name("Harbour"), work: work.summary)
        let start = Date(timeIntervalSince1970: 1_800_000_000)
        try await store.apply([
            .work(work), .channel(channel), .program(program),
            .airing(Airing(start: start, end: start + 3_600, channel: channel, program: program)),
        ])
        return CountingGuide(store)
    }

    @Test("link data is off where nobody says otherwise", .requirements("R-ACR-179"))
    func standard() async throws {
        #expect(GuideQuery(MemoryGuideStore()).linkData == false)
    }

    @Test("identifiers of others come with link data only", .requirements("R-ACR-178"))
    func links() async throws {
        var query = GuideQuery(try await guide(), cache: PlainCache())
        #expect(try await query.work("harbour")?.externalIdentifiers == [])
        query.linkData = true
        #expect(try await query.work("harbour")?.externalIdentifiers.map(\.value) == ["tt1"])
        query.linkData = false
        #expect(try await query.work("harbour")?.externalIdentifiers == [])
    }

    @Test("a partial work becomes a whole one, also that of an airing", .requirements("R-ACR-175", "R-ACR-089"))
    func whole() async throws {
        let guide = try await guide()
        let query = GuideQuery(guide)
        let airing = try #require(try await guide.store.airing(on: "7", at: Date(timeIntervalSince1970: 1_800_000_100)))
        let partial = try #require(airing.program.work)
        #expect(partial.isPartial && partial.synopsis == nil)
        let work = try await query.work(partial)
        #expect(!work.isPartial && work.synopsis?.text == "A storm comes.")
        // Of what is not known more, the part is given back.
        let other = VideoWork(id: "nowhere", title: Name("Nowhere"), isPartial: true)
        #expect(try await query.work(other) == other)
    }

    @Test("what is asked again is not asked for", .requirements("R-ACR-182"))
    func cache() async throws {
        let guide = try await guide()
        let query = GuideQuery(guide, cache: PlainCache())
        for _ in 0..<3 {
            #expect(try await query.work("harbour")?.title.text == "Harbour")
            #expect(try await query.program("p1")?.title.text == "Harbour")
            #expect(try await query.channel("7")?.callSign == "SVN")
            #expect(try await query.channel(identifier: "7", tag: "t", source: .televisionChannel)?.id == "7")
        }
        #expect(guide.count == 4)
        // That nothing is known may change.
        for _ in 0..<2 { #expect(try await query.work("new") == nil) }
        #expect(guide.count == 6)
        // Another source has answers of its own in the same cache.
        let cache = PlainCache()
        _ = try await GuideQuery(guide, scope: "one", cache: cache).work("harbour")
        _ = try await GuideQuery(guide, scope: "two", cache: cache).work("harbour")
        #expect(guide.count == 8)
    }

    @Test("what channels show is never kept")
    func airings() async throws {
        let guide = try await guide()
        let query = GuideQuery(guide, cache: PlainCache())
        let start = Date(timeIntervalSince1970: 1_800_000_000)
        for _ in 0..<2 { #expect(try await query.airings(on: ["7"], from: start, to: start + 60).count == 1) }
        #expect(guide.count == 2)
    }
}
