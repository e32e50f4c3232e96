import EarshotCore
import Foundation
import TestSupport
import Testing

@Suite("JSON of any form")
struct JSONValueTests {
    private func decode(_ text: String) throws -> JSONValue {
        try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8))
    }

    @Test("decodes every kind of value")
    func kinds() throws {
        let value = try decode(#"{"a":[null,true,1,-2.5,"x"],"b":{},"c":9223372036854775807,"d":1e300}"#)
        let expected: JSONValue = [
            "a": [.null, true, 1, -2.5, "x"], "b": [:], "c": .integer(Int64.max), "d": .number(1e300),
        ]
        #expect(value == expected)
        #expect(value["a"] != nil && value["z"] == nil && value["c"]?["d"] == nil)
        #expect(value["d"]?.number == 1e300 && JSONValue.integer(3).number == 3 && JSONValue.string("3").number == nil)
    }

    @Test("encodes what it decoded, with sorted keys and whole numbers as they were")
    func roundTrip() throws {
        let text = #"{"a":[1,2.5,"/\"",false,null],"b":{"":10000000000000000,"z":-0.125}}"#
        #expect(try JSONEncoder.sorted().text(try decode(text)) == text)
        // A number without a fraction has one form.
        #expect(try JSONEncoder.sorted().text(try decode("[2.0]")) == "[2]")
        #expect(try JSONEncoder.sorted().text([JSONValue.number(2)]) == "[2]")
    }

    @Test("refuses values nested deeper than 64 levels, and does not take the error for another kind of value")
    func depth() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: #"{"a":["#, count: depth / 2) + "1" + String(repeating: "]}", count: depth / 2)
        }
        #expect(try decode(nested(JSONValue.maximumDepth)) != .null)
        let error = #expect(throws: DecodingError.self) { try decode(nested(JSONValue.maximumDepth + 2)) }
        guard case .dataCorrupted(let context)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(context.debugDescription.contains("64"))
    }

    @Test("changes members of objects only")
    func members() {
        var value: JSONValue = ["a": 1]
        value["b"] = true
        value["a"] = nil
        #expect(value == ["b": true])
        var text: JSONValue = "text"
        text["a"] = 1
        #expect(text == "text")
    }

    @Test("dates are coded as text")
    func dates() throws {
        let encoder = JSONEncoder.sorted(date: DateText.text(of:))
        let decoder = JSONDecoder.dates(DateText.date(of:)) { "\($0) is no date" }
        let dates = [Date(timeIntervalSince1970: 1_700_000_000.25)]
        let text = try encoder.text(dates)
        #expect(text == #"["2023-11-14T22:13:20.250Z"]"#)
        #expect(try decoder.decode([Date].self, from: Data(text.utf8)) == dates)
        #expect(throws: DecodingError.self) { try decoder.decode([Date].self, from: Data(#"["soon"]"#.utf8)) }
    }
}
