import EarshotBroadcast
import EarshotCore
import EarshotMusic
import Foundation
import Testing

extension GuideStoreRule {
    static let comparisons: [GuideStoreRule] = [
        .init("A store finds the same as one in memory, whatever is put") { store in
            let seed = UInt64.random(in: 0...UInt64.max)
            var random = SeededGenerator(seed: seed)
            let memory = MemoryGuideStore()
            for round in 0..<40 {
                let changes = try (0...Int.random(in: 0...3, using: &random)).flatMap { _ in try some(&random) }
                try await memory.apply(changes)
                try await store.apply(changes)
                try await compare(store, memory, &random, "seed \(seed), round \(round)")
                guard Int.random(in: 0..<8, using: &random) == 0 else { continue }
                let date = Samples.minute(Double(Int.random(in: 0...60, using: &random)))
                let removed = try await memory.removeAirings(endedBy: date, withPrograms: true)
                #expect(try await store.removeAirings(endedBy: date, withPrograms: true) == removed)
            }
        },
        .init("Changes of a batch are made in their order") { store in
            let memory = MemoryGuideStore()
            let one = Samples.channel("one")
            let (news, late) = (Samples.program("n", "News"), Samples.program("n", "Late News"))
            var film = Samples.full
            film.work = Samples.work.summary
            let span = Samples.minute(0)..<Samples.minute(60)
            let slot = try GuideSlot(Samples.airing(one, news, 10, 20))
            let schedule = GuideChange.schedule(try GuideSchedule(channel: "one", span: span, slots: [slot]))
            let changes: [GuideChange] = [
                .airing(Samples.airing(one, news, -30, 5)), .airing(Samples.airing(one, film, 0, 30)), .program(late),
                schedule, .airing(Samples.airing(one, news, 15, 90)), schedule,
                .airing(Samples.airing(one, film, 10, 40, isRepeat: true)), .work(Samples.work), .program(film),
                .channel(Samples.channel("one", number: "7")),
                .airing(Samples.airing(Samples.channel("one"), film, 50, 60)),
            ]
            for changes in [changes, changes.reversed(), changes + changes] {
                try await memory.apply(changes)
                try await store.apply(changes)
                #expect(
                    try await store.airings(from: .distantPast, to: .distantFuture)
                        == memory.airings(from: .distantPast, to: .distantFuture)
                )
                for id: EntityID<Program> in ["n", "program-full"] {
                    #expect(try await store.program(id, links: true) == memory.program(id, links: true))
                }
                #expect(try await store.work("work-1", links: true) == memory.work("work-1", links: true))
                #expect(try await store.channels(links: true) == memory.channels(links: true))
            }
        },
    ]

    // Beside the rules, as ``title(in:_:)``.
    /// Changes of a small guide: one airing, and sometimes a schedule, a programme, a channel or a work.
    private static func some(_ random: inout SeededGenerator) throws -> [GuideChange] {
        let words = ["harbour", "Lights", "III", "塩の道", "Müller", "night"]
        let channel = Samples.channel("c\(Int.random(in: 0...2, using: &random))")
        let title = (0...Int.random(in: 0...2, using: &random)).map { _ in words.randomElement(using: &random) ?? "" }
        var program = Samples.program("p\(Int.random(in: 0...9, using: &random))", title.joined(separator: " "))
        if Bool.random(using: &random) {
            let name = words.randomElement(using: &random) ?? ""
            program.work = VideoWork(id: EntityID("w\(name.count)"), title: Name(name), kind: .film)
        }
        let start = Double(Int.random(in: 0...50, using: &random))
        let airing = Samples.airing(channel, program, start, start + Double.random(in: 1...60, using: &random))
        var changes: [GuideChange] = [.airing(airing)]
        if Bool.random(using: &random) {
            let span = Samples.minute(start)..<Samples.minute(start + 9)
            changes.append(.schedule(try GuideSchedule(channel: channel.id, span: span, slots: [GuideSlot(airing)])))
        }
        if Int.random(in: 0..<5, using: &random) == 0 { changes.append(.program(program)) }
        if Int.random(in: 0..<5, using: &random) == 0 { changes.append(.channel(channel)) }
        if let work = program.work, Bool.random(using: &random) { changes.insert(.work(work), at: 0) }
        return changes
    }

    private static func compare(
        _ store: any GuideStore,
        _ memory: MemoryGuideStore,
        _ random: inout SeededGenerator,
        _ round: Comment
    ) async throws {
        let from = Samples.minute(Double(Int.random(in: -5...60, using: &random)))
        let to = from.addingTimeInterval(1_800)
        #expect(try await store.airings(from: from, to: to) == memory.airings(from: from, to: to), round)
        #expect(
            try await store.airings(from: .distantPast, to: to) == memory.airings(from: .distantPast, to: to),
            round
        )
        #expect(try await store.airing(on: "c1", at: from) == memory.airing(on: "c1", at: from), round)
        for text in ["harbour", "lights night", "3", "塩", "道", "Müller III", "iii harbour harbour"] {
            #expect(
                try await store.programs(titled: text, limit: 5) == memory.programs(titled: text, limit: 5),
                "\(text), \(round)"
            )
            #expect(
                try await store.works(titled: text, limit: 5) == memory.works(titled: text, limit: 5),
                "\(text), \(round)"
            )
        }
        #expect(try await store.counts() == memory.counts(), round)
    }
}
