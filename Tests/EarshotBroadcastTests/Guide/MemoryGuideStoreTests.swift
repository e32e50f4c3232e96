import EarshotBroadcast
import EarshotCore
import EarshotMusic
import Foundation
import TestSupport
import Testing

@Suite("Guide in memory")
struct MemoryGuideStoreTests {
    @Test("A store in memory keeps every rule of guides", arguments: GuideStoreRule.all)
    func rules(rule: GuideStoreRule) async throws {
        try await rule.check(MemoryGuideStore())
    }

    @Test("A schedule holds its own channel and span only")
    func schedules() throws {
        let slot = try GuideSlot(
            channel: "one",
            program: "p",
            start: GuideSamples.minute(0),
            end: GuideSamples.minute(10)
        )
        let spans = [GuideSamples.minute(1)..<GuideSamples.minute(9), GuideSamples.minute(-9)..<GuideSamples.minute(0)]
        for span in spans {
            let error = #expect(throws: EarshotError.self) {
                try GuideSchedule(channel: "one", span: span, slots: [slot])
            }
            #expect(error?.code == .metadataInvalid)
        }
        let span = GuideSamples.minute(0)..<GuideSamples.minute(1)
        #expect(throws: EarshotError.self) { try GuideSchedule(channel: "two", span: span, slots: [slot]) }
        #expect(try GuideSchedule(channel: "one", span: span, slots: [slot]).slots == [slot])
    }
}
