import EarshotCore
import Foundation
import Testing

@Suite("Identifiers of text")
struct StringIdentifierTests {
    private struct Name: StringIdentifier, ExpressibleByStringLiteral {
        let rawValue: String

        init(rawValue: String) { self.rawValue = rawValue }
        init(stringLiteral value: String) { rawValue = value }
    }

    @Test("bytes decide about equality, order and hash")
    func bytes() {
        // One accent in two forms, which are equal strings.
        let (one, two) = (Name(rawValue: "\u{E9}"), Name(rawValue: "e\u{301}"))
        #expect(one.rawValue == two.rawValue)
        #expect(one != two && !(one == two) && Set([one, two]).count == 2)
        #expect(two < one && !(one < two))
        #expect([one].firstIndex(of: two) == nil)
        #expect(Name(rawValue: "a") == "a" && "\(one)" == "\u{E9}")
    }

    @Test("the coded form is the text alone")
    func coding() throws {
        let data = try JSONEncoder().encode(["a" as Name])
        #expect(String(decoding: data, as: UTF8.self) == #"["a"]"#)
        #expect(try JSONDecoder().decode([Name].self, from: data) == ["a"])
    }
}
