import EarshotCore
import Foundation
import TestSupport
import Testing

@Suite("Names of references")
struct ReferenceIDTests {
    @Test("Names are compared by their bytes, in order, equality and hash")
    func bytes() {
        let composed = ReferenceID("caf\u{E9}.mp3")
        let decomposed = ReferenceID("cafe\u{301}.mp3")
        #expect(composed != decomposed)
        #expect(!(composed == decomposed))
        #expect(decomposed < composed)
        #expect(Set([composed, decomposed, "caf\u{E9}.mp3"]).count == 2)
    }

    @Test("Exactly one of before, equal, after")
    func order() {
        property("order of names") { generator in
            let alphabet = ["a", "b", "\u{E9}", "e\u{301}", "漢", "🎵"]
            func name() -> ReferenceID {
                ReferenceID(
                    (0..<Int.random(in: 0...3, using: &generator)).map { _ in
                        alphabet.randomElement(using: &generator) ?? "a"
                    }.joined()
                )
            }
            let (a, b) = (name(), name())
            return [a < b, a == b, b < a].filter(\.self).count == 1 && (a != b) == !(a == b)
                && (a != b || a.hashValue == b.hashValue)
        }
    }

    @Test("In JSON a name is a plain text")
    func json() throws {
        let data = try JSONEncoder().encode(["a/b.ogg"] as [ReferenceID])
        #expect(try JSONDecoder().decode([String].self, from: data) == ["a/b.ogg"])
        #expect(try JSONDecoder().decode([ReferenceID].self, from: data) == ["a/b.ogg"])
    }
}
