package import EarshotBroadcast
import EarshotCore
import EarshotMusic
import Foundation
import Testing

/// A rule that every store of a guide keeps: the suite of each store runs all of them.
package struct GuideStoreRule: Sendable, CustomTestStringConvertible {
    private let name: String
    private let body: @Sendable (any GuideStore) async throws -> Void

    /// The rule in words.
    package var testDescription: String { name }

    init(_ name: String, _ body: @escaping @Sendable (any GuideStore) async throws -> Void) {
        self.name = name
        self.body = body
    }

    /// Holds an empty store against the rule.
    package func check(_ store: any GuideStore) async throws { try await body(store) }

    /// All rules.
    package static let all = entities + airings + schedules + comparisons

    typealias Samples = GuideSamples

    static func refused(_ store: any GuideStore, _ changes: [GuideChange]) async {
        let error = await #expect(throws: EarshotError.self) { try await store.apply(changes) }
        #expect(error?.code == .metadataInvalid)
    }

    // MARK: - Works, programmes, channels

    private static let entities: [GuideStoreRule] = [
        .init("What was never used is empty") { store in
            #expect(try await store.counts() == GuideCounts())
            #expect(try await store.channels(links: true).isEmpty)
            #expect(try await store.work("a", links: true) == nil)
            #expect(try await store.program("a", links: true) == nil)
            #expect(try await store.channel("a", links: true) == nil)
            #expect(try await store.airing(on: "a", at: Samples.evening) == nil)
            #expect(try await store.programs(titled: "a", limit: 9).isEmpty)
            #expect(try await store.removeAirings(endedBy: Samples.evening, withPrograms: true) == 0)
            try await store.apply([])
        },
        .init("What is put comes out as it was, with links where they are asked for") { store in
            let channel = Samples.channel("one", number: "5.1", tag: "T")
            try await store.apply([.work(Samples.work), .program(Samples.full), .channel(channel)])
            #expect(try await store.work("work-1", links: true) == Samples.work)
            #expect(try await store.program("program-full", links: true) == Samples.full)
            #expect(try await store.channel("one", links: true) == channel)
            var (work, program, plain) = (Samples.work, Samples.full, channel)
            work.externalIdentifiers = []
            program.externalIdentifiers = []
            program.work = work
            plain.externalIdentifiers = []
            #expect(try await store.work("work-1", links: false) == work)
            #expect(try await store.program("program-full", links: false) == program)
            #expect(try await store.channel("one", links: false) == plain)
            #expect(try await store.channels(links: false) == [plain])
            #expect(try await store.channels(links: true) == [channel])
        },
        .init("A newer one takes the place of the one of its id, and is found by its own words only") { store in
            try await store.apply([.program(Samples.program("p", "Old Harbour"))])
            try await store.apply([.program(Samples.program("p", "New Harbour"))])
            #expect(try await store.counts().programs == 1)
            #expect(try await store.program("p", links: false)?.title.text == "New Harbour")
            #expect(try await store.programs(titled: "old", limit: 9).isEmpty)
            #expect(try await store.programs(titled: "new", limit: 9).map(\.id) == ["p"])
        },
        .init("The work of a programme is kept where there is none, and does not replace one") { store in
            var partial = Samples.full
            partial.work = Samples.work.summary
            try await store.apply([.program(partial)])
            #expect(try await store.work("work-1", links: true) == Samples.work.summary)
            try await store.apply([.work(Samples.work), .program(partial)])
            #expect(try await store.work("work-1", links: true) == Samples.work)
            #expect(try await store.program("program-full", links: true)?.work == Samples.work.summary)
        },
        .init("A channel is found by an identifier of its own, and by that of guides") { store in
            let (one, two) = (Samples.channel("one", tag: "T1"), Samples.channel("two", tag: "T2"))
            try await store.apply([.channel(one), .channel(two)])
            #expect(try await id(in: store, "one", "", .televisionChannel) == "one")
            #expect(try await id(in: store, "one", "T1", .televisionChannel) == "one")
            #expect(try await id(in: store, "one", "T2", .televisionChannel) == nil)
            #expect(try await id(in: store, "one.example", "", .televisionChannel) == nil)
            #expect(try await id(in: store, "two.example", "", .xmltv) == "two")
            #expect(try await id(in: store, "two.example", "T1", .xmltv) == nil)
            #expect(try await id(in: store, "two", "T2", .xmltv) == "two")
            #expect(try await id(in: store, "4711", "", .xmltv) == nil)
            let linked = try await store.channel(identifier: "two.example", tag: "", source: .xmltv, links: true)
            #expect(linked == two)
            // Another identifier in guides: the one before leads nowhere.
            var other = two
            other.externalIdentifiers = [ExternalIdentifier(source: "xmltv", kind: "channel", value: "2.example")]
            try await store.apply([.channel(other)])
            #expect(try await id(in: store, "two.example", "", .xmltv) == nil)
            #expect(try await id(in: store, "2.example", "", .xmltv) == "two")
        },
        .init("Titles are found by all their words, in any language, the title itself first") { store in
            var changes: [GuideChange] = [.work(Samples.work)]
            let titles = ["Harbour Lights", "The Harbour", "Harbour", "Lights Out", "Café Müller"]
            for (number, title) in titles.enumerated() {
                changes.append(.program(Samples.program("p\(number)", title)))
            }
            changes.append(.program(Samples.program("p9", "Quiet", subtitle: "A harbour at night")))
            try await store.apply(changes)
            func ids(_ text: String, _ limit: Int = 99) async throws -> [String] {
                try await store.programs(titled: text, limit: limit).map(\.id.rawValue)
            }
            #expect(try await ids("harbour") == ["p2", "p0", "p9", "p1"])
            #expect(try await ids("HARBOUR", 2) == ["p2", "p0"])
            #expect(try await ids("lights harbour") == ["p0"])
            #expect(try await ids("cafe muller") == ["p4"])
            #expect(try await ids("harb").isEmpty)
            #expect(try await ids("").isEmpty)
            #expect(try await ids("\"' OR 1=1 --%_*").isEmpty)
            #expect(try await ids("harbour", 0).isEmpty)
            #expect(try await ids("harbour", -1).isEmpty)
            for text in ["salt road", "Salzstrasse", "塩の道", "塩"] {
                let found = try await store.works(titled: text, limit: 9)
                #expect(found.map(\.id) == ["work-1"], "\(text)")
                #expect(found.flatMap(\.externalIdentifiers) == [])
            }
        },
    ]

    // Beside the rules, as ``title(in:_:)``.
    private static func id(
        in store: any GuideStore,
        _ identifier: String,
        _ tag: String,
        _ source: BroadcastChannel.IdentifierSource
    ) async throws -> EntityID<BroadcastChannel>? {
        try await store.channel(identifier: identifier, tag: tag, source: source, links: false)?.id
    }
}
