import EarshotCatalogs
import EarshotCore
import EarshotSignatures
import TestSupport
import Testing

@testable import EarshotSessions

@Suite("Which events are passed on")
struct RepeatSuppressorTests {
    /// A match of references in this order.
    private func match(_ ids: [ReferenceID]) throws -> Match {
        let signature = Signature.random(seed: 1, seconds: 5)
        let references = try ids.map { id in
            var catalog = Catalog()
            try catalog.add(signature, representing: [], id: id)
            return try #require(try catalog.match(signature)?.references.first)
        }
        return Match(querySignature: signature, references: references, catalog: Catalog().identity)
    }

    /// What a gate says to events in turn.
    private func said(_ filter: RepeatFilter, to events: [SessionEvent]) -> [Bool] {
        var gate = RepeatSuppressor(filter: filter)
        return events.map { gate.passes($0) }
    }

    @Test("What is left of two references that were heard at once is passed on")
    func left() throws {
        let (a, b, both) = (try match(["a"]), try match(["b"]), try match(["a", "b"]))
        let events: [(SessionEvent, Bool)] = [
            (.matched(a, [.appeared]), true), (.matched(a, [.confirmed]), false),
            (.matched(both, [.appeared]), true), (.matched(both, [.confirmed]), false),
            (.matched(b, [.confirmed]), true), (.matched(b, [.confirmed]), false),
            // Of the other that it is lost changes nothing.
            (.lost(a), true), (.matched(b, [.moved(by: .zero), .corrected(by: .zero)]), false),
            (.lost(b), true), (.matched(b, [.returned]), true),
        ]
        #expect(said(.itemChanges, to: events.map(\.0)) == events.map(\.1))
    }

    @Test("Entries count where they are asked for")
    func entries() throws {
        let one = try match(["a"])
        let events: [SessionEvent] = [
            .matched(one, [.appeared]), .matched(one, [.moved(by: .zero), .entries]), .notMatched(one.querySignature),
        ]
        #expect(said(.itemChanges, to: events) == [true, false, true])
        #expect(said(.entryChanges, to: events) == [true, true, true])
    }
}
