import EarshotCatalogs
import EarshotCore
import EarshotSignatures
import Foundation
import TestSupport
import Testing

@Suite("What a match answers")
struct MatchAnswerTests {
    private func catalog(_ entries: [(ReferenceID, Signature)], items: [MediaItem] = []) throws -> Catalog {
        var catalog = Catalog()
        for (id, signature) in entries { try catalog.add(signature, representing: items, id: id) }
        return catalog
    }

    @Test("A finished signature gives match, no match or error", .requirements("R-CC-053"))
    func outcomes() throws {
        let catalog = try catalog([("a", Songs.drawn(1))])
        let query = Songs.part(of: Songs.drawn(1), from: 3, seconds: 4)
        let match = try #require(try catalog.match(query))
        #expect(match.references.map(\.id) == ["a"])
        #expect(match.querySignature == query)
        #expect(try catalog.match(Songs.drawn(2, seconds: 4)) == nil)
        #expect(try Catalog().match(query) == nil)
        #expect(code { _ = try catalog.match(.of([Float](repeating: 0, count: 32_000))) } == .signatureInvalid)
    }

    @Test("Silence is refused as a query", .requirements("R-CC-007"))
    func silence() throws {
        let catalog = try catalog([("a", Songs.drawn(1))])
        let failure = #expect(throws: EarshotError.self) {
            try catalog.match(.of([Float](repeating: 0, count: 48_000)))
        }
        #expect(failure?.code == .signatureInvalid)
        #expect(failure?.message.contains("silent") == true)
    }

    @Test("Too short and too long are refused", .requirements("R-CC-015"), arguments: [0.5, 60])
    func durations(seconds: Double) throws {
        let long = Songs.drawn(3, seconds: 60)
        let catalog = try catalog([("a", long)])
        let query = Songs.part(of: long, from: 0, seconds: seconds)
        #expect(code { _ = try catalog.match(query) } == .signatureDurationInvalid)
        // The very limits are taken, and a catalog may have others.
        for seconds in [1.0, 15] { _ = try catalog.match(Songs.part(of: long, from: 1, seconds: seconds)) }
        var open = catalog
        open.queryLimits = .init(minimum: MediaTime(seconds: 0.1), maximum: MediaTime(seconds: 100))
        _ = try open.match(query)
    }

    @Test(
        "References that share a passage are all returned, always in the same order",
        .requirements("R-CC-059", "R-CC-060")
    )
    func sharedIntroduction() throws {
        // Forty seconds that three pieces have in common, then five of each one's own.
        var introduction = SignatureGenerator()
        try introduction.append(SyntheticMusic(seed: 200, duration: 40).buffer())
        var catalog = Catalog()
        for (number, id) in Songs.ids.enumerated() {
            var generator = introduction
            try generator.append(SyntheticMusic(seed: 201 + UInt64(number), duration: 5).buffer())
            try catalog.add(generator.signature(), representing: [], id: id)
        }
        let query = try SyntheticMusic(seed: 200, duration: 40).signature(from: 20, seconds: 4)
        let first = try #require(try catalog.match(query))
        #expect(Set(first.references.map(\.id)) == Set(Songs.ids))
        for reference in first.references { #expect(abs(reference.offset.seconds - 20) < 0.05) }
        for (better, worse) in zip(first.references, first.references.dropFirst()) {
            #expect(better.score >= worse.score)
        }
        for _ in 1..<100 {
            guard try catalog.match(query) == first else {
                Issue.record("The answer changed from one run to the next.")
                return
            }
        }
        // What only one has finds only that one.
        let own = try SyntheticMusic(seed: 202, duration: 5).signature(seconds: 5)
        #expect(try catalog.match(own)?.references.map(\.id) == ["second"])
    }

    @Test("Equal references are answered in the order of adding")
    func equalReferences() throws {
        let ids: [ReferenceID] = ["z", "m", "a", "q"]
        let catalog = try catalog(ids.map { ($0, Songs.drawn(4)) })
        let query = Songs.part(of: Songs.drawn(4), from: 2, seconds: 5)
        let match = try #require(try catalog.match(query))
        #expect(match.references.map(\.id) == ids)
        #expect(Set(match.references.map(\.score)).count == 1)
    }

    @Test("Music that repeats itself is found at every place")
    func repeats() throws {
        let (chorus, verse) = (Songs.drawn(5, seconds: 6), Songs.drawn(6, seconds: 8))
        let catalog = try catalog([("song", Songs.joined([chorus, verse, chorus, Songs.drawn(7, seconds: 5), chorus]))])
        let match = try #require(try catalog.match(Songs.part(of: chorus, from: 1, seconds: 4)))
        let reference = try #require(match.references.first)
        #expect(match.references.count == 1)
        let offsets = reference.occurrences.map { $0.offset.seconds.rounded() }
        #expect(offsets.sorted() == [1, 15, 26])
        for (better, worse) in zip(reference.occurrences, reference.occurrences.dropFirst()) {
            #expect(better.score >= worse.score)
        }
        #expect(reference.best == reference.occurrences[0])
    }

    @Test("The spans say which part of the query fits which part of the reference")
    func spans() throws {
        let song = Songs.drawn(8, seconds: 20)
        let catalog = try catalog([("song", song)])
        let query = Songs.joined([Songs.drawn(90, seconds: 4), Songs.part(of: song, from: 10, seconds: 6)])
        let found = try #require(try catalog.match(query)?.references.first)
        #expect(abs(found.offset.seconds - 6) < 0.05)
        #expect(abs(found.queryRange.lowerBound.seconds - 4) < 0.5)
        #expect(abs(found.queryRange.upperBound.seconds - 10) < 0.5)
        #expect(abs(found.referenceRange.lowerBound.seconds - 10) < 0.5)
        #expect(abs(found.referenceRange.upperBound.seconds - 16) < 0.5)
    }

    @Test("Two pieces in one query are both found, each in its own part")
    func medley() throws {
        let catalog = try catalog([("a", Songs.drawn(10)), ("b", Songs.drawn(11))])
        let query = Songs.joined([
            Songs.part(of: Songs.drawn(10), from: 3, seconds: 6), Songs.part(of: Songs.drawn(11), from: 5, seconds: 6),
        ])
        let match = try #require(try catalog.match(query))
        #expect(Set(match.references.map(\.id)) == ["a", "b"])
    }

    @Test("Several tasks may ask one catalog at once")
    func concurrent() async throws {
        var catalog = try catalog((0..<4).map { (ReferenceID("r\($0)"), Songs.drawn(20 + UInt64($0))) })
        // One part laid out, one still pending, so that the tasks also build the index at once.
        _ = try catalog.match(Songs.drawn(20, seconds: 3))
        try catalog.add(Songs.drawn(30), representing: [], id: "late")
        let query = Songs.part(of: Songs.drawn(30), from: 4, seconds: 4)
        let shared = catalog
        let answers = try await withThrowingTaskGroup(of: Match?.self) { group in
            for _ in 0..<8 { group.addTask { try shared.match(query) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(answers.count == 8)
        #expect(Set(answers).count == 1)
        #expect(answers.first??.references.map(\.id) == ["late"])
    }

    @Test("What was added between matches is found too")
    func segments() throws {
        var catalog = Catalog()
        for number in 0..<6 {
            try catalog.add(Songs.drawn(40 + UInt64(number)), representing: [], id: ReferenceID("r\(number)"))
            for seed in 0...number {
                let query = Songs.part(of: Songs.drawn(40 + UInt64(seed)), from: 2, seconds: 3)
                #expect(try catalog.match(query)?.references.map(\.id) == [ReferenceID("r\(seed)")])
            }
        }
    }

    @Test("Removal and replacement are visible in the next match", .requirements("R-CC-041"), arguments: [false, true])
    func changes(fromFile: Bool) throws {
        var catalog = try catalog((0..<3).map { (ReferenceID("r\($0)"), Songs.drawn(50 + UInt64($0))) })
        if fromFile { catalog = try Catalog(data: catalog.data()) }
        func query(_ seed: UInt64) -> Signature { Songs.part(of: Songs.drawn(seed), from: 2, seconds: 4) }
        #expect(catalog.referenceIDs == ["r0", "r1", "r2"])
        #expect(try catalog.match(query(51))?.references.map(\.id) == ["r1"])
        try catalog.remove("r1")
        #expect(try catalog.match(query(51)) == nil)
        #expect(try catalog.match(query(52))?.references.map(\.id) == ["r2"])
        try catalog.replace("r2", with: Songs.drawn(59), representing: [try MediaItem(properties: [.title: "new"])])
        #expect(try catalog.match(query(52)) == nil)
        #expect(try catalog.match(query(59))?.mediaItems.map(\.title) == ["new"])
        #expect(catalog.referenceIDs == ["r0", "r2"])
    }
}
