import EarshotBroadcast
import EarshotCore
import EarshotMusic
import Foundation
import Testing

extension GuideStoreRule {
    static let airings: [GuideStoreRule] = [
        .init("Airings come in order of beginnings and channels, also those that began before the span") { store in
            let (one, two) = (Samples.channel("one"), Samples.channel("two"))
            let (news, film) = (Samples.program("n", "News"), Samples.full)
            let all = [
                Samples.airing(one, news, 0, 15), Samples.airing(two, film, 0, 90, isRepeat: true),
                Samples.airing(one, film, 15, 60), Samples.airing(one, news, 60, 75),
            ]
            try await store.apply(all.reversed().map { .airing($0) })
            #expect(try await store.counts().airings == 4)
            func rows(
                _ channels: [EntityID<BroadcastChannel>]?,
                _ from: Double,
                _ to: Double,
                limit: Int = .max
            ) async throws -> [String] {
                let start = Samples.minute(from)
                return try await store.airings(on: channels, from: start, to: Samples.minute(to), limit: limit)
                    .map { "\($0.channel.id) \($0.start.timeIntervalSince(Samples.evening) / 60)" }
            }
            #expect(try await rows(nil, 0, 75) == ["one 0.0", "two 0.0", "one 15.0", "one 60.0"])
            #expect(try await rows(["one"], 10, 60) == ["one 0.0", "one 15.0"])
            #expect(try await rows(["one"], 15, 16) == ["one 15.0"])
            #expect(try await rows(["two", "three"], -99, 999) == ["two 0.0"])
            #expect(try await rows([], 0, 75).isEmpty)
            #expect(try await rows(nil, 0, 75, limit: 3) == ["one 0.0", "two 0.0", "one 15.0"])
            #expect(try await rows(nil, 0, 75, limit: -3).isEmpty)
            #expect(try await rows(nil, 60, 0).isEmpty)
            let always = try await store.airings(from: .distantPast, to: .distantFuture)
            #expect(always.count == 4)
            // What is shown of channels and programmes has no links.
            let shown = try #require(always.first { $0.isRepeat })
            #expect(shown.end == Samples.minute(90) && shown.program.title == film.title)
            #expect(shown.channel.externalIdentifiers.isEmpty && shown.program.externalIdentifiers.isEmpty)
            #expect(shown.program.work?.externalIdentifiers == [])
        },
        .init("What is on is known from its first instant to the one before its last") { store in
            let one = Samples.channel("one")
            try await store.apply([
                .airing(Samples.airing(one, Samples.program("a", "A"), 0, 30)),
                .airing(Samples.airing(one, Samples.program("b", "B"), 30, 60)),
                .airing(Samples.airing(one, Samples.program("c", "C"), 50, 70)),
            ])
            #expect(try await title(in: store, -0.001) == nil)
            #expect(try await title(in: store, 0) == "A")
            #expect(try await title(in: store, 29.999) == "A")
            #expect(try await title(in: store, 30) == "B")
            #expect(try await title(in: store, 55) == "C")
            #expect(try await title(in: store, 70) == nil)
            #expect(try await store.airing(on: "two", at: Samples.minute(1)) == nil)
        },
        .init("An airing takes the place of one with its beginning, and adds what is not known, no more") { store in
            let one = Samples.channel("one", number: "5.1")
            try await store.apply([.channel(one), .program(Samples.full)])
            // What a match says is less than what the guide knows.
            let bare = BroadcastChannel(id: "one", name: Name("?"))
            try await store.apply([
                .airing(Samples.airing(bare, Samples.program("program-full", "?"), 0, 30)),
                .airing(Samples.airing(bare, Samples.program("new", "New"), 0, 20)),
            ])
            #expect(try await store.channel("one", links: true) == one)
            #expect(try await store.program("program-full", links: true) == Samples.full)
            #expect(try await store.program("new", links: true)?.title.text == "New")
            #expect(try await store.counts().airings == 1)
            #expect(try await store.airing(on: "one", at: Samples.minute(10))?.program.id == "new")
            #expect(try await store.airing(on: "one", at: Samples.minute(25)) == nil)
        },
        .init("Times that cannot be are refused, and the changes beside them") { store in
            let (one, news) = (Samples.channel("one"), Samples.program("n", "News"))
            for (from, to) in [(0.0, 0.0), (10, 5), (0, 10_081), (.nan, 5), (0, .infinity), (-1e12, -1e12 + 5)] {
                await refused(store, [.program(news), .airing(Samples.airing(one, news, from, to))])
            }
            #expect(try await store.counts() == GuideCounts())
            // A week is not too long, and is found from its last instant.
            try await store.apply([.airing(Samples.airing(one, news, 0, 10_080))])
            #expect(try await store.airing(on: "one", at: Samples.minute(10_079.99)) != nil)
            #expect(try await store.airings(from: Samples.minute(10_079.9), to: Samples.minute(20_000)).count == 1)
        },
        .init("Instants are kept to the millisecond") { store in
            let airing = Airing(
                start: Samples.evening.addingTimeInterval(0.25049),
                end: Samples.evening.addingTimeInterval(7.0006),
                channel: Samples.channel("one"),
                program: Samples.program("n", "News")
            )
            try await store.apply([.airing(airing)])
            let kept = try await store.airings(from: .distantPast, to: .distantFuture).first
            #expect(kept?.start == Date(timeIntervalSince1970: 1_777_658_400.25))
            #expect(kept?.end == Date(timeIntervalSince1970: 1_777_658_407.001))
        },
        .init("What has ended is removed, with the programmes that nothing shows any more where that is wanted") {
            store in
            let one = Samples.channel("one")
            let (news, film) = (Samples.program("n", "News"), Samples.program("f", "Film"))
            try await store.apply([
                .airing(Samples.airing(one, news, 0, 10)), .airing(Samples.airing(one, film, 10, 20)),
                .airing(Samples.airing(one, news, 20, 30)), .program(Samples.program("x", "Never shown")),
            ])
            #expect(try await store.removeAirings(endedBy: Samples.minute(9.9), withPrograms: true) == 0)
            #expect(try await store.removeAirings(endedBy: Samples.minute(20), withPrograms: true) == 2)
            #expect(try await store.program("f", links: false) == nil)
            #expect(try await store.program("n", links: false) != nil)
            #expect(try await store.programs(titled: "film", limit: 9).isEmpty)
            #expect(try await store.removeAirings(endedBy: Samples.minute(30), withPrograms: false) == 1)
            #expect(try await store.program("n", links: false) != nil)
            #expect(try await store.program("x", links: false) != nil)
            #expect(try await store.counts().airings == 0)
            #expect(try await store.counts().channels == 1)
        },
    ]

    private static func slot(_ program: String, _ from: Double, _ to: Double) throws -> GuideSlot {
        try GuideSlot(
            channel: "one",
            program: EntityID(program),
            start: Samples.minute(from),
            end: Samples.minute(to)
        )
    }

    private static func shown(_ store: any GuideStore) async throws -> [String] {
        try await store.airings(on: ["one"], from: .distantPast, to: .distantFuture).map { airing in
            let times = [airing.start, airing.end].map { Int($0.timeIntervalSince(Samples.evening) / 60) }
            return "\(airing.program.id) \(times[0])-\(times[1])"
        }
    }

    static let schedules: [GuideStoreRule] = [
        .init("A schedule replaces what began in its span, cuts what reaches into it, and leaves the rest") { store in
            let (one, two) = (Samples.channel("one"), Samples.channel("two"))
            let names = ["a", "b", "c", "d", "e"]
            try await store.apply(names.map { .program(Samples.program($0, $0)) } + [.channel(one)])
            try await store.apply([
                .airing(Samples.airing(one, Samples.program("a", "a"), 0, 40)),
                .airing(Samples.airing(one, Samples.program("b", "b"), 40, 55)),
                .airing(Samples.airing(one, Samples.program("c", "c"), 55, 60)),
                .airing(Samples.airing(one, Samples.program("d", "d"), 60, 90)),
                .airing(Samples.airing(two, Samples.program("d", "d"), 40, 50)),
            ])
            let span = Samples.minute(30)..<Samples.minute(60)
            let slots = try [slot("e", 30, 45), slot("b", 45, 60)]
            try await store.apply([.schedule(GuideSchedule(channel: "one", span: span, slots: slots))])
            #expect(try await shown(store) == ["a 0-30", "e 30-45", "b 45-60", "d 60-90"])
            #expect(try await store.airing(on: "two", at: Samples.minute(45)) != nil)
            // The same once more changes nothing; an empty one leaves a gap.
            try await store.apply([.schedule(GuideSchedule(channel: "one", span: span, slots: slots))])
            #expect(try await shown(store) == ["a 0-30", "e 30-45", "b 45-60", "d 60-90"])
            try await store.apply([.schedule(GuideSchedule(channel: "one", span: span, slots: []))])
            #expect(try await shown(store) == ["a 0-30", "d 60-90"])
        },
        .init("A schedule of what is not known is refused as a whole") { store in
            try await store.apply([
                .channel(Samples.channel("one")), .airing(Samples.airing(Samples.channel("one"), Samples.full, 0, 30)),
            ])
            let span = Samples.minute(0)..<Samples.minute(60)
            let known = try slot("program-full", 20, 30)
            let unknown = try GuideSchedule(channel: "one", span: span, slots: [known, slot("ghost", 30, 60)])
            await refused(store, [.program(Samples.program("late", "Late")), .schedule(unknown)])
            #expect(try await shown(store) == ["program-full 0-30"])
            #expect(try await store.program("late", links: false) == nil)
            await refused(store, [.schedule(try GuideSchedule(channel: "two", span: span, slots: []))])
            // Put before it in the same batch, it is known.
            try await store.apply([.program(Samples.program("ghost", "Ghost")), .schedule(unknown)])
            #expect(try await shown(store) == ["program-full 20-30", "ghost 30-60"])
        },
    ]

    // Beside the rules, not inside of one: building without whole modules rejects local functions in a static property.
    /// The title of the program that is on `minute` minutes after the start of the samples; `nil` if there is none.
    private static func title(in store: any GuideStore, _ minute: Double) async throws -> String? {
        try await store.airing(on: "one", at: Samples.minute(minute))?.program.title.text
    }
}
