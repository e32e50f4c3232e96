import EarshotMusic
import Foundation
import Testing

@Suite("Identifiers")
struct EntityIDTests {
    private enum Thing {}

    @Test("An identifier is its text in JSON, and ordered by its bytes")
    func text() throws {
        let ids: [EntityID<Thing>] = ["b", "0012", "é"]
        let data = try JSONEncoder().encode(ids)
        #expect(String(decoding: data, as: UTF8.self) == #"["b","0012","é"]"#)
        #expect(try JSONDecoder().decode([EntityID<Thing>].self, from: data) == ids)
        #expect(ids.sorted().map(\.rawValue) == ["0012", "b", "é"])
        // One character and two that look alike: a database tells them apart.
        let (one, two): (EntityID<Thing>, EntityID<Thing>) = ("\u{E9}", "e\u{301}")
        #expect(!(one == two))
        #expect(one != two)
        #expect(Set([one, two]).count == 2)
    }
}
