import EarshotCatalogs
import EarshotCore
import Foundation
import TestSupport
import Testing

@Suite("Media items from property lists and JSON")
struct PropertyListTests {
    /// An object of an app.
    private final class Photo {}

    private func failure(_ list: [String: Any]) -> EarshotError? {
        do {
            _ = try MediaItem(propertyList: list)
            return nil
        } catch {
            return error
        }
    }

    @Test("Values of Swift become values of an item")
    func swift() throws {
        let date = Date(timeIntervalSinceReferenceDate: 5)
        let item = try MediaItem(propertyList: [
            "text": "a", "integer": 7, "small": UInt8(9), "real": 0.5, "narrow": Float(0.25), "yes": true, "no": false,
            "date": date, "data": Data([1, 2]), "list": [1, "b", [true]], "inner": ["x": ["y": 1]],
            "value": PropertyValue.integer(4),
        ])
        #expect(item["text"] == "a")
        #expect(item["integer"] == 7)
        #expect(item["small"] == 9)
        #expect(item["real"] == 0.5)
        #expect(item["narrow"] == 0.25)
        #expect(item["yes"] == true)
        #expect(item["no"] == false)
        #expect(item["date"] == .date(date))
        #expect(item["data"] == .data(Data([1, 2])))
        #expect(item["list"] == [1, "b", [true]])
        #expect(item["inner"] == ["x": ["y": 1]])
        #expect(item["value"] == 4)
    }

    private static let json = """
        {"t": "a", "zero": 0, "one": 1, "big": 9007199254740993, "below": -5, "real": 0.5, "whole": 2.5e3,
         "yes": true, "no": false, "list": [0, 1, true, 1.5], "inner": {"n": [1]}}
        """

    @Test("Numbers and truth values of JSON keep their kinds")
    func json() throws {
        let object = try JSONSerialization.jsonObject(with: Data(Self.json.utf8))
        let item = try MediaItem(propertyList: #require(object as? [String: Any]))
        #expect(item["t"] == "a")
        #expect(item["zero"] == 0)
        #expect(item["one"] == 1)
        #expect(item["big"] == 9_007_199_254_740_993)
        #expect(item["below"] == -5)
        #expect(item["real"] == 0.5)
        #expect(item["whole"]?.real == 2_500)
        #expect(item["yes"] == true)
        #expect(item["no"] == false)
        #expect(item["list"] == [0, 1, true, 1.5])
        #expect(item["inner"] == ["n": [1]])
    }

    @Test("So do those of a property list", arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary])
    func plist(format: PropertyListSerialization.PropertyListFormat) throws {
        let date = Date(timeIntervalSinceReferenceDate: 86_400)
        let list: [String: Any] = [
            "t": "a", "zero": 0, "one": 1, "big": Int64.max, "real": 1.5, "yes": true, "no": false, "date": date,
            "data": Data([0, 255]), "list": [0, 1, true], "inner": ["n": 1],
        ]
        let data = try PropertyListSerialization.data(fromPropertyList: list, format: format, options: 0)
        let read = try PropertyListSerialization.propertyList(from: data, format: nil)
        let item = try MediaItem(propertyList: #require(read as? [String: Any]))
        #expect(item["t"] == "a")
        #expect(item["zero"] == 0)
        #expect(item["one"] == 1)
        #expect(item["big"] == .integer(.max))
        #expect(item["real"] == 1.5)
        #expect(item["yes"] == true)
        #expect(item["no"] == false)
        #expect(item["date"] == .date(date))
        #expect(item["data"] == .data(Data([0, 255])))
        #expect(item["list"] == [0, 1, true])
        #expect(item["inner"] == ["n": 1])
    }

    @Test("Number objects of every size")
    func numberObjects() throws {
        let item = try MediaItem(propertyList: [
            "a": NSNumber(value: true), "b": NSNumber(value: false), "c": NSNumber(value: Int8(5)),
            "d": NSNumber(value: UInt8(1)), "e": NSNumber(value: Int64.min), "f": NSNumber(value: UInt64(1)),
            "g": NSNumber(value: 1.0), "h": NSNumber(value: Float(0.5)), "i": NSNumber(value: 1),
        ])
        #expect(item["a"] == true)
        #expect(item["b"] == false)
        #expect(item["c"] == 5)
        #expect(item["d"] == 1)
        #expect(item["e"] == .integer(.min))
        #expect(item["f"] == 1)
        #expect(item["g"] == 1.0)
        #expect(item["h"] == 0.5)
        #expect(item["i"] == 1)
        #expect(failure(["x": NSNumber(value: UInt64.max)])?.code == .mediaItemInvalid)
        #expect(failure(["x": NSNumber(value: Double.nan)])?.code == .mediaItemInvalid)
    }

    @Test("Null and objects of an app are refused with their path", .requirements("R-CC-021", "R-CC-022"))
    func refused() {
        #expect(failure(["teacher": ["photos": ["a", "b", Photo()]]])?.code == .mediaItemInvalid)
        let message = failure(["teacher": ["photos": ["a", "b", Photo()]]])?.message
        #expect(message?.contains("teacher.photos[2]") == true)
        #expect(message?.contains("Photo") == true)
        #expect(failure(["x": NSNull()])?.code == .mediaItemInvalid)
        #expect(failure(["x": [1, NSNull()]])?.message.contains("x[1]") == true)
        #expect(failure(["x": Set([1])])?.code == .mediaItemInvalid)
        #expect(failure(["x": { 1 }])?.code == .mediaItemInvalid)
        #expect(failure(["x": (1, 2)])?.code == .mediaItemInvalid)
        #expect(failure(["x": Int?.none as Any])?.code == .mediaItemInvalid)
        #expect(failure(["x": UInt64.max])?.code == .mediaItemInvalid)
        #expect(throws: EarshotError.self) { try PropertyValue(propertyList: Photo()) }
    }

    @Test("Lists nested without end are refused, not followed")
    func deep() {
        var list: Any = 1
        for _ in 0..<5_000 { list = [list] }
        #expect(failure(["x": list])?.code == .mediaItemInvalid)
        #expect(code { _ = try PropertyValue(propertyList: list) } == .mediaItemInvalid)
    }

    @Test("Addresses become text, and are read as addresses again")
    func addresses() throws {
        let url = try #require(URL(string: "https://example.org/a%20b?c=d#e"))
        let item = try MediaItem(propertyList: ["webURL": url])
        #expect(item[.webURL] == .string(url.absoluteString))
        #expect(item.webURL == url)
    }

    @Test("an item that is written as JSON is read again equal, and JSON that is no item is refused with the path")
    func taggedJSON() throws {
        let item = try MediaItem(propertyList: [
            "title": "a", "whole": 7, "real": 2.0, "half": 0.5, "yes": true,
            "date": Date(timeIntervalSinceReferenceDate: 5),
            "data": Data([1, 2]), "list": [1, ["$real": "x"]], "like": ["$date": 3], "inner": ["$dictionary": ["a": 1]],
        ])
        let text = try JSONEncoder().encode(item.json)
        let json = try JSONDecoder().decode(JSONValue.self, from: text)
        #expect(try MediaItem(json: json) == item)
        #expect(try MediaItem(json: ["title": .null, "a": 1]).properties == ["a": 1])
        for (json, path) in [
            (["a": [["b": .null]]], nil), (["a": [.null]], "a[0]"), (["title": 5], "title"), (3, "object"),
        ] as [(JSONValue, String?)] {
            do {
                _ = try MediaItem(json: json)
                #expect(path == nil)
            } catch {
                #expect(error.code == .mediaItemInvalid && error.message.contains(path ?? "nothing"), "\(error)")
            }
        }
    }
}
