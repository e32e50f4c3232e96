import EarshotMonitor
import Testing

@Suite("Kinds of lookups")
struct LookupKindTests {
    @Test("Names on the wire stay the same")
    func names() {
        #expect(LookupKind.allCases.map(\.rawValue) == ["localOnly", "localThenOnline"])
        #expect(
            LookupTrigger.allCases.map(\.rawValue) == ["start", "transition", "manual", "onlineTimer", "localTimer"]
        )
    }
}
