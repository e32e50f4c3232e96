import EarshotCore
import Testing

@testable import EarshotSharedCatalogs

@Suite("When objects are asked for again")
struct FetchPacingTests {
    private static let away = EarshotError(.storeUnavailable, "The bucket is away.")
    private static let damaged = EarshotError(.storeDamaged, "The object is damaged.")

    private static func allows(_ pacing: FetchPacing, _ object: String, at now: Double, underWay: Int = 0) -> Bool {
        pacing.allows(object, isLocal: false, at: now, underWay: underWay)
    }

    @Test("a bucket that is away is asked for one object every two seconds, however long it is away")
    func probing() {
        var pacing = FetchPacing()
        for begin in stride(from: 0.0, to: 600, by: 2) {
            #expect(Self.allows(pacing, "a", at: begin) && Self.allows(pacing, "b", at: begin))
            _ = pacing.failed("a", Self.away, from: begin, at: begin + 0.5)
            #expect(!Self.allows(pacing, "a", at: begin + 1.9) && !Self.allows(pacing, "b", at: begin + 1.9))
        }
        #expect(!Self.allows(pacing, "b", at: 700, underWay: 1))
        // The disk is there.
        #expect(pacing.allows("b", isLocal: true, at: 599, underWay: 1))
    }

    @Test("a request that took longer than two seconds is followed by another at once")
    func slowRequest() {
        var pacing = FetchPacing()
        _ = pacing.failed("a", Self.away, from: 0, at: 7)
        #expect(Self.allows(pacing, "a", at: 7))
    }

    @Test("once the bucket answers, everything is asked for at once")
    func recovery() {
        var pacing = FetchPacing()
        _ = pacing.failed("a", Self.away, from: 0, at: 0)
        _ = pacing.failed("b", Self.away, from: 2, at: 2)
        pacing.succeeded("local", isLocal: true, at: 3)
        #expect(!Self.allows(pacing, "a", at: 3))
        pacing.succeeded("b", isLocal: false, at: 4)
        #expect(Self.allows(pacing, "a", at: 4, underWay: 3) && pacing.messages.isEmpty)
        // What was asked for before the bucket was back says nothing of it.
        _ = pacing.failed("c", Self.away, from: 3, at: 5)
        #expect(Self.allows(pacing, "a", at: 5, underWay: 3))
    }

    @Test("a damaged object waits longer each time, up to half a minute, and the bucket counts as there")
    func damage() {
        var pacing = FetchPacing()
        var now = 0.0
        for pause in [1.0, 2, 4, 8, 16, 30, 30] {
            let isNew = pacing.failed("a", Self.damaged, from: now, at: now)
            #expect(isNew == (now == 0))
            #expect(!Self.allows(pacing, "a", at: now + pause - 0.1) && Self.allows(pacing, "b", at: now, underWay: 3))
            now += pause
            #expect(Self.allows(pacing, "a", at: now))
        }
    }

    @Test("an object that the store cannot give lets others go first")
    func ranking() {
        var pacing = FetchPacing()
        _ = pacing.failed("a", Self.away, from: 0, at: 0)
        #expect(pacing.probes(of: "a") == 1 && pacing.probes(of: "b") == 0)
        pacing.keep { $0 != "a" }
        #expect(pacing.probes(of: "a") == 0 && pacing.messages.isEmpty)
    }
}
