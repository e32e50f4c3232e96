import EarshotCore
import EarshotRecognition
import EarshotSQLite
import Foundation
import Testing

@testable import EarshotServer

@Suite("Quotas of several nodes")
struct QuotaMeterTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)
    private static let day = QuotaMeter.day(now)

    /// Returns how many of some recognitions are admitted.
    ///
    /// - Parameters:
    ///   - count: The number of recognitions of each meter, all at once.
    ///   - meters: The meters.
    private func admitted(
        _ count: Int,
        of meters: [QuotaMeter],
        _ shares: [QuotaMeter.Share],
        size: Int = 1
    ) async -> Int {
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<count {
                for meter in meters {
                    group.addTask { (try? await meter.use(shares, count: size, at: Self.now)) != nil }
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
    }

    private func share(_ limit: Int?, _ subject: String = "client/1") -> QuotaMeter.Share {
        QuotaMeter.Share(subject: subject, limit: limit)
    }

    @Test("of three hundred that three nodes are asked for at once a quota of a hundred admits a hundred")
    func nodes() async throws {
        let store = try SQLiteAccountStore.inMemory()
        let meters = (0..<3).map { _ in QuotaMeter(store, isShared: true) }
        #expect(await admitted(100, of: meters, [share(100)]) == 100)
        for meter in meters { try await meter.flush() }
        #expect(try await store.usage(of: "client/1", on: Self.day) == 100)
        #expect(await admitted(1, of: meters, [share(100)]) == 0)
        // The operator gives more.
        #expect(await admitted(100, of: meters, [share(110)]) == 10)
    }

    @Test(
        "a large quota is exact to one in a hundred, also for those whose uses another node holds",
        arguments: [1, 7]
    )
    func large(size: Int) async throws {
        let store = try TestAccounts()
        let meters = (0..<3).map { _ in QuotaMeter(store, isShared: true) }
        let limit = 3_000
        var count = 0
        for _ in 0..<15 { count += await admitted(100, of: meters, [share(limit)], size: size) * size }
        #expect(count <= limit && count >= limit * 99 / 100)
        // Fewer questions than uses.
        #expect(store.calls("takeUsage") < 3_000)
        for meter in meters { try await meter.flush() }
        #expect(try await store.usage(of: "client/1", on: Self.day) == count)
    }

    @Test("what a node has taken and not used, another one may use after it has written")
    func givingBack() async throws {
        let store = try SQLiteAccountStore.inMemory()
        let (one, other) = (QuotaMeter(store, isShared: true), QuotaMeter(store, isShared: true))
        try await one.use([share(5_120)], at: Self.now)
        #expect(try await store.usage(of: "client/1", on: Self.day) == 20)
        #expect(try await one.used("client/1", at: Self.now) == 1)
        try await one.flush()
        #expect(try await store.usage(of: "client/1", on: Self.day) == 1)
        #expect(await admitted(1, of: [other], [share(5_120)], size: 5_119) == 1)
        #expect(await admitted(1, of: [one, other], [share(5_120)]) == 0)
    }

    @Test("uses of a client and of its user count together or not at all", arguments: [false, true])
    func together(isShared: Bool) async throws {
        let store = try SQLiteAccountStore.inMemory()
        let meter = QuotaMeter(store, isShared: isShared)
        let shares = [share(20), share(5, "user/a"), share(nil, "user/b")]
        #expect(await admitted(30, of: [meter], shares) == 5)
        for (subject, used) in [("client/1", 5), ("user/a", 5), ("user/b", 5)] {
            #expect(try await meter.used(subject, at: Self.now) == used)
        }
        try await meter.flush()
        for subject in ["client/1", "user/a", "user/b"] {
            #expect(try await store.usage(of: subject, on: Self.day) == 5)
        }
        #expect(await admitted(30, of: [meter], [share(20)]) == 15)
    }

    @Test("a node that is the only one asks the store once for a day, and writes nothing for a request")
    func alone() async throws {
        let store = try TestAccounts()
        let before = UsageBatch(writer: "before", number: 1, day: Self.day, uses: ["client/1": 10])
        try await store.addUsage(before, forgettingBefore: "2000-01-01")
        let meter = QuotaMeter(store, isShared: false)
        for _ in 0..<3 { #expect(await admitted(30, of: [meter], [share(100)]) == 30) }
        #expect(await admitted(30, of: [meter], [share(100)]) == 0)
        #expect(store.calls("usage") == 1 && store.calls("takeUsage") == 0 && store.calls("addUsage") == 1)
        try await meter.flush()
        #expect(try await store.usage(of: "client/1", on: Self.day) == 100)
        let tomorrow = Self.now.addingTimeInterval(86_400)
        try await meter.use([share(100)], at: tomorrow)
        #expect(try await meter.used("client/1", at: tomorrow) == 1)
    }

    @Test("while the store is away a node goes on by what it knows, and writes it later")
    func away() async throws {
        let store = try TestAccounts()
        let (one, other) = (QuotaMeter(store, isShared: true), QuotaMeter(store, isShared: true))
        #expect(await admitted(60, of: [one], [share(100)]) == 60)
        store.isAway = true
        #expect(await admitted(60, of: [one], [share(100)]) == 40)
        // It is asked once, and then again at each writing.
        #expect(await admitted(9, of: [other], [share(100)]) == 9)
        let asked = store.calls("takeUsage")
        #expect(await admitted(9, of: [other], [share(100)]) == 9)
        #expect(store.calls("takeUsage") == asked)
        for meter in [one, other] { await #expect(throws: EarshotError.self) { try await meter.flush() } }
        store.isAway = false
        for meter in [one, other] { try await meter.flush() }
        #expect(try await store.usage(of: "client/1", on: Self.day) == 118)
        #expect(await admitted(1, of: [one, other], [share(100)]) == 0)
        #expect(await admitted(9, of: [one, other], [share(120)]) == 2)
    }

    @Test("uses whose writing had no answer are written once", arguments: [false, true])
    func lostAnswer(isShared: Bool) async throws {
        let store = try TestAccounts()
        let meter = QuotaMeter(store, isShared: isShared)
        #expect(await admitted(5, of: [meter], [share(nil)]) == 5)
        store.losesAnswers = true
        for _ in 0..<2 { await #expect(throws: EarshotError.self) { try await meter.flush() } }
        #expect(await admitted(2, of: [meter], [share(nil)]) == 2)
        await #expect(throws: EarshotError.self) { try await meter.flush() }
        store.losesAnswers = false
        for _ in 0..<2 {
            try await meter.flush()
            #expect(try await store.usage(of: "client/1", on: Self.day) == 7)
            #expect(try await meter.used("client/1", at: Self.now) == 7)
        }
    }

    @Test(
        "uses that were taken though the answer got lost are neither lost nor counted twice",
        arguments: [false, true]
    )
    func lostTaking(isAskedAgain: Bool) async throws {
        let store = try TestAccounts()
        let meter = QuotaMeter(store, isShared: true)
        store.losesAnswers = true
        #expect(await admitted(1, of: [meter], [share(5_120)]) == 1)
        #expect(try await store.usage(of: "client/1", on: Self.day) == 20)
        await #expect(throws: EarshotError.self) { try await meter.flush() }
        store.losesAnswers = false
        for _ in 0..<2 { try await meter.flush() }
        #expect(try await store.usage(of: "client/1", on: Self.day) == 1)
        if isAskedAgain {
            #expect(await admitted(5_120, of: [meter], [share(5_120)]) == 5_119)
            try await meter.flush()
            #expect(try await store.usage(of: "client/1", on: Self.day) == 5_120)
        }
    }

    @Test("one who asked in vain while the store was away is served when it is back")
    func backAgain() async throws {
        let store = try TestAccounts()
        let meter = QuotaMeter(store, isShared: true)
        #expect(await admitted(2, of: [meter], [share(2)]) == 2)
        store.isAway = true
        #expect(await admitted(2, of: [meter], [share(3)]) == 1)
        store.isAway = false
        try await meter.flush()
        #expect(await admitted(2, of: [meter], [share(4)]) == 1)
        try await meter.flush()
        #expect(try await store.usage(of: "client/1", on: Self.day) == 4)
    }

    @Test("what was not used of yesterday is given back to yesterday")
    func midnight() async throws {
        let store = try SQLiteAccountStore.inMemory()
        let meter = QuotaMeter(store, isShared: true)
        try await meter.use([share(5_120)], at: Self.now)
        let tomorrow = Self.now.addingTimeInterval(86_400)
        try await meter.use([share(5_120)], at: tomorrow)
        meter.giveBack([share(5_120)], at: Self.now)
        try await meter.flush()
        #expect(try await store.usage(of: "client/1", on: Self.day) == 0)
        #expect(try await store.usage(of: "client/1", on: QuotaMeter.day(tomorrow)) == 1)
    }
}
