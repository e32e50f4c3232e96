import EarshotCatalogs
import EarshotCore
import EarshotSessions
import EarshotSignatures
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("Sessions")
struct SessionTests {
    /// Notes what it is told.
    final class Receiver: MatchSessionReceiver {
        let found = Mutex<[ReferenceID]>([])
        let missed = Mutex<[EarshotError.Code?]>([])

        func session(_ session: MatchSession, didFind match: Match) {
            found.withLock { $0.append(match.references[0].id) }
        }

        func session(_ session: MatchSession, didNotFindMatchFor signature: Signature, error: EarshotError?) {
            missed.withLock { $0.append(error?.code) }
        }
    }

    @Test("A receiver is told what is found", .requirements("R-CC-044"))
    func receiver() async throws {
        let session = MatchSession(catalog: try Broadcast.catalog())
        let receiver = Receiver()
        session.setReceiver(receiver)
        let end = session.events
        let query = try Broadcast.pieces[1].signature(from: 10, seconds: 4)
        session.match(query)
        session.match(try .of(Degradation.noise(count: 64_000, seed: 3)))
        session.match(query.slice(from: .zero, duration: MediaTime(value: 1, timescale: 2)).signature)
        session.finish()
        for await _ in end {}
        #expect(receiver.found.withLock { $0 } == ["two"])
        #expect(receiver.missed.withLock { $0 } == [nil, .signatureDurationInvalid])
    }

    @Test("One signature is answered by match, no match or error", .requirements("R-CC-053"))
    func result() async throws {
        let session = MatchSession(catalog: try Broadcast.catalog())
        let query = try Broadcast.pieces[0].signature(from: 10, seconds: 4)
        guard case .match(let match) = await session.result(from: query) else {
            Issue.record("a clip of a reference matches")
            return
        }
        #expect(match.references.first?.id == "one")
        guard case .noMatch = await session.result(from: try .of(Degradation.noise(count: 64_000, seed: 3))) else {
            Issue.record("noise matches nothing")
            return
        }
        let short = query.slice(from: .zero, duration: MediaTime(value: 1, timescale: 2)).signature
        guard case .error(let error, _) = await session.result(from: short) else {
            Issue.record("half a second is too short")
            return
        }
        #expect(error.code == .signatureDurationInvalid)
    }

    @Test("A session keeps the catalog it was given until it is given another", .requirements("R-CC-038"))
    func snapshot() async throws {
        var catalog = Catalog()
        let signatures = try Broadcast.signatures.get()
        try catalog.add(signatures[0], representing: [], id: "one")
        let session = MatchSession(catalog: catalog)
        try catalog.add(signatures[1], representing: [], id: "two")
        let query = try Broadcast.pieces[1].signature(from: 10, seconds: 4)
        guard case .noMatch = await session.result(from: query) else {
            Issue.record("what was added later is not seen")
            return
        }
        session.replace(catalog)
        guard case .match(let match) = await session.result(from: query) else {
            Issue.record("the new catalog has it")
            return
        }
        #expect(match.references.first?.id == "two")
    }

    @Test("Replacing the catalog of a running stream does not interrupt it", .requirements("R-CC-099"))
    func replacedWhileRunning() async throws {
        let signatures = try Broadcast.signatures.get()
        var catalog = Catalog()
        try catalog.add(signatures[0], representing: [], id: "one")
        let session = MatchSession(catalog: catalog, options: .init(repeats: .all))
        var broadcast = Broadcast()
        broadcast.play(0, from: 20, seconds: 6)
        broadcast.play(1, from: 20, seconds: 5)
        var larger = Catalog()
        try larger.add(signatures[1], representing: [], id: "two")
        try larger.add(signatures[0], representing: [], id: "one")
        larger.identity = CatalogIdentity(id: "radio", version: "2")
        let blocks = broadcast.blocks
        var changes: [MatchChange] = []
        var last: Match?
        for part in [blocks[..<40], blocks[40...]] {
            for try await event in session.events(from: BlockFeed(blocks: Array(part), clock: nil)) {
                guard case .matched(let match, let news) = event else { continue }
                changes += news
                last = match
            }
            session.replace(larger)
        }
        #expect(changes.count { $0 == .appeared } == 2)
        #expect(last?.references.first?.id == "two")
        #expect(last?.catalog == CatalogIdentity(id: "radio", version: "2"))
    }

    @Test("After a reset another stream begins at zero")
    func reset() async throws {
        let session = MatchSession(catalog: try Broadcast.catalog(), options: .init(repeats: .all))
        for piece in 0..<2 {
            var broadcast = Broadcast()
            broadcast.play(piece, from: 20, seconds: 3)
            var ids: Set<ReferenceID> = []
            for try await event in session.events(from: BlockFeed(blocks: broadcast.blocks, clock: nil)) {
                guard case .matched(let match, _) = event else {
                    Issue.record("nothing but matches: \(event)")
                    continue
                }
                ids.insert(match.references[0].id)
            }
            #expect(ids == [piece == 0 ? "one" : "two"])
            session.reset()
        }
    }

    @Test("Every match names its catalog", .requirements("R-CC-070"))
    func identity() throws {
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("episodes.earcat")
            try Broadcast.catalog().write(to: url)
            let query = try Broadcast.pieces[0].signature(from: 10, seconds: 4)
            let item = try #require(try Catalog(contentsOf: url).match(query)?.mediaItems.first)
            #expect(item.catalog.id == "episodes")
            #expect(!item.catalog.version.isEmpty)
            #expect(item.catalog.source == url)
            // Equal content, equal version.
            let other = folder.appendingPathComponent("copy.earcat")
            try Broadcast.catalog().write(to: other)
            #expect(try Catalog(contentsOf: other).identity.version == item.catalog.version)
        }
    }

    @Test("References with the same passage are all found, in the same order each time", .requirements("R-CC-060"))
    func shared() async throws {
        let intro = Broadcast.pieces[0].samples(from: 0, seconds: 12, sampleRate: 16_000)
        var catalog = Catalog()
        for (id, rest) in [("b", 20.0), ("a", 40), ("c", 60)] {
            let own = Broadcast.pieces[0].samples(from: rest, seconds: 10, sampleRate: 16_000)
            try catalog.add(.of(intro + own), representing: [], id: ReferenceID(id))
        }
        var broadcast = Broadcast()
        broadcast.play(0, from: 2, seconds: 9)
        let first = try await broadcast.heard(by: catalog).map { $0.match?.references.map(\.id) ?? [] }
        #expect(first.allSatisfy { Set($0) == ["a", "b", "c"] && $0 == first[0] })
        let second = try await broadcast.heard(by: catalog).map { $0.match?.references.map(\.id) ?? [] }
        #expect(first == second && !first.isEmpty)
        // Where they part, one is left.
        broadcast = Broadcast()
        broadcast.play(0, from: 6, seconds: 6)
        broadcast.play(0, from: 40, seconds: 8)
        let last = try #require(try await broadcast.heard(by: catalog).last)
        #expect(last.match?.references.map(\.id) == ["a"])
    }

    @Test("An item of a time range is delivered while the position is in it")
    func ranges() async throws {
        var catalog = Catalog()
        let early = try MediaItem(properties: [.title: "early", .timeRanges: [[0.0, 24.0]]])
        let late = try MediaItem(properties: [.title: "late", .timeRanges: [[24.0, 60.0]]])
        let always = try MediaItem(properties: [.title: "always"])
        try catalog.add(Broadcast.signatures.get()[0], representing: [always, early, late], id: "one")
        var broadcast = Broadcast()
        broadcast.play(0, from: 20, seconds: 8)
        let heard = try await broadcast.heard(by: catalog, repeats: .itemChanges)
        #expect(heard.map { $0.match?.mediaItems.map(\.title) } == [["early", "always"], ["late", "always"]])
        #expect(heard.last?.change == .items)
        #expect(abs(try #require(heard.last).time - 4) < 0.3)
    }
}
