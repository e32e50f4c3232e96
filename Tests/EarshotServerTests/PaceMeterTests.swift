import EarshotCore
import Testing

@testable import EarshotServer

@Suite("Uploads that trickle")
struct PaceMeterTests {
    @Test("a byte every ten seconds is sent away after half a minute")
    func trickle() throws {
        var pace = PaceMeter(at: 100)
        try pace.take(1, at: 110)
        try pace.take(1, at: 120)
        let error = #expect(throws: EarshotError.self) { try pace.take(1, at: 130) }
        #expect(error?.code == .timedOut)
    }

    @Test("a fast begin does not pay for a slow end")
    func window() throws {
        var pace = PaceMeter(at: 0)
        try pace.take(1 << 30, at: 29)
        try pace.take(1, at: 31)
        #expect(throws: EarshotError.self) { try pace.take(1, at: 62) }
    }

    @Test("what comes fast enough goes on for hours")
    func steady() throws {
        var pace = PaceMeter(at: 0)
        for second in 1...7_200 { try pace.take(PaceMeter.leastPace, at: Double(second)) }
    }
}
