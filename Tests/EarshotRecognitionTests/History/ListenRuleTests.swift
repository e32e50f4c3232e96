import EarshotRecognition
import TestSupport
import Testing

@Suite("What counts as a listen")
struct ListenRuleTests {
    private static let rules = ListenRule.Policy.allCases.map { ListenRule(minimumDuration: 30, unknown: $0) }

    @Test(
        "Half of it or four minutes, of what is longer than 30 s",
        arguments: [
            (30.0, 30.0, false), (30.1, 15, false), (30.1, 15.06, true), (31, 15.5, true), (200, 99.9, false),
            (200, 100, true), (479, 239, false), (479, 239.5, true), (481, 240, true), (3_600, 240, true),
            (3_600, 239.9, false), (20, 500, false), (200, 0, false),
        ]
    )
    func known(duration: Double, heard: Double, counts: Bool) {
        for rule in Self.rules { #expect(rule.counts(duration: duration, heard: heard) == counts) }
    }

    @Test("What is not known is decided by the caller, and only where it matters")
    func unknown() {
        for rule in Self.rules {
            let included = rule.unknown == .include
            #expect(rule.counts(duration: 200, heard: nil) == included)
            #expect(rule.counts(duration: nil, heard: nil) == included)
            #expect(rule.counts(duration: nil, heard: 100) == included)
            #expect(rule.counts(duration: .nan, heard: 100) == included)
            #expect(rule.counts(duration: nil, heard: 240))
            #expect(!rule.counts(duration: 25, heard: nil))
        }
        #expect(!ListenRule(minimumDuration: 600, unknown: .exclude).counts(duration: nil, heard: 300))
        #expect(ListenRule().counts(duration: 20, heard: 10))
    }

    @Test("Whoever hears more does not count less")
    func monotony() {
        property("longer hearing counts no less") { generator in
            let duration = Bool.random(using: &generator) ? Double.random(in: 0...1_000, using: &generator) : nil
            let heard = Double.random(in: 0...500, using: &generator)
            let more = heard + Double.random(in: 0...500, using: &generator)
            return Self.rules.allSatisfy { rule in
                !rule.counts(duration: duration, heard: heard) || rule.counts(duration: duration, heard: more)
            }
        }
    }
}
