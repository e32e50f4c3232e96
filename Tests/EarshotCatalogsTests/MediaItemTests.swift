import EarshotCatalogs
import EarshotCore
import Foundation
import TestSupport
import Testing

@Suite("Media items")
struct MediaItemTests {
    /// The failure of making an item.
    private func failure(_ properties: [MediaItemKey: PropertyValue]) -> EarshotError? {
        do {
            _ = try MediaItem(properties: properties)
            return nil
        } catch {
            return error
        }
    }

    private func nested(_ levels: Int) -> PropertyValue {
        (1..<levels).reduce(PropertyValue.integer(1)) { value, level in
            level % 2 == 0 ? .array([value]) : .dictionary(["in": value])
        }
    }

    @Test("Title and subtitle have accessors of their own", .requirements("R-CC-016"))
    func titles() throws {
        let item = try MediaItem(properties: [.title: "Counting", .subtitle: "Episode 3"])
        #expect(item.title == "Counting")
        #expect(item.subtitle == "Episode 3")
        #expect(MediaItem().title == nil)
        #expect(MediaItem().subtitle == nil)
    }

    @Test("Every predefined key is set and read with its type", .requirements("R-CC-018"))
    func predefined() throws {
        let date = Date(timeIntervalSinceReferenceDate: 700_000_000.25)
        let item = try MediaItem(properties: [
            .artist: "A", .album: "B", .genres: ["Jazz", "Blues"], .artworkURL: "https://example.org/a.png",
            .videoURL: "https://example.org/v", .webURL: "https://example.org/ä", .isrc: "USRC17607839",
            .explicitContent: true, .storeID: "s", .storeURL: "store://s", .serviceID: "x",
            .creationDate: .date(date), .timeRanges: [[10, 20.5], [30, 31]], .frequencySkewRanges: [[-0.01, 0.01]],
        ])
        #expect(item.artist == "A")
        #expect(item.album == "B")
        #expect(item.genres == ["Jazz", "Blues"])
        #expect(item.artworkURL?.absoluteString == "https://example.org/a.png")
        #expect(item.videoURL?.path == "/v")
        #expect(item.webURL?.scheme == "https")
        #expect(item[.webURL]?.string == "https://example.org/ä")
        #expect(item.isrc == "USRC17607839")
        #expect(item.isExplicit == true)
        #expect(item.storeID == "s")
        #expect(item.storeURL?.scheme == "store")
        #expect(item.serviceID == "x")
        #expect(item.creationDate == date)
        let ranges = [(10.0, 20.5), (30, 31)].map { MediaTime(seconds: $0.0)..<MediaTime(seconds: $0.1) }
        #expect(item.timeRanges == ranges)
        #expect(item.frequencySkewRanges == [-0.01..<0.01])
        #expect(item.properties.count == 14)
    }

    @Test(
        "A predefined key takes its own type only",
        arguments: [
            (.title, 1), (.subtitle, true), (.artist, ["a"]), (.album, .data(Data())), (.genres, "Jazz"),
            (.genres, ["Jazz", 2]), (.artworkURL, 1), (.videoURL, [:]), (.webURL, 1.5), (.isrc, 12),
            (.explicitContent, "yes"), (.explicitContent, 1), (.storeID, 7), (.storeURL, []), (.serviceID, 7),
            (.creationDate, "today"), (.timeRanges, [1, 2]), (.timeRanges, [[1, 2, 3]]), (.timeRanges, [[2, 2]]),
            (.timeRanges, [["1", "2"]]), (.frequencySkewRanges, [[0.1, -0.1]]), (.frequencySkewRanges, 0.1),
        ] as [(MediaItemKey, PropertyValue)]
    )
    func types(key: MediaItemKey, value: PropertyValue) {
        let failure = failure([key: value])
        #expect(failure?.code == .mediaItemInvalid)
        #expect(failure?.message.contains(key.rawValue) == true)
    }

    @Test(
        "Keys that a match writes are refused",
        arguments: [.matchOffset, .frequencySkew, .confidence] as [MediaItemKey]
    )
    func written(key: MediaItemKey) {
        #expect(failure([key: 0.5])?.code == .mediaItemInvalid)
    }

    @Test("What is not a finite number is refused when the item is made", .requirements("R-CC-023", "R-CC-024"))
    func finite() {
        for number in [Double.nan, .infinity, -.infinity, .signalingNaN] {
            #expect(failure(["x": .real(number)])?.code == .mediaItemInvalid)
            #expect(failure(["x": .date(Date(timeIntervalSinceReferenceDate: number))])?.code == .mediaItemInvalid)
            #expect(failure(["x": [1, ["y": .real(number)]]])?.message.contains("x[1].y") == true)
        }
        #expect(failure(["x": .real(.greatestFiniteMagnitude), "y": .real(-0.0)]) == nil)
    }

    @Test("The error names the path to the value", .requirements("R-CC-022"))
    func path() {
        let photos: PropertyValue = ["photos": ["a", "b", .real(.nan)], "name": "N"]
        #expect(failure([.teacher: photos])?.message.contains("teacher.photos[2]") == true)
        #expect(failure(["a": [[["b": [.real(.infinity)]]]]])?.message.contains("a[0][0].b[0]") == true)
    }

    @Test("Thirty-two levels are taken, thirty-three are not")
    func nesting() {
        #expect(failure(["x": nested(32)]) == nil)
        #expect(failure(["x": nested(33)])?.code == .mediaItemInvalid)
        #expect(failure(["x": nested(33)])?.message.contains("32 levels") == true)
        #expect(failure(["x": nested(400)])?.code == .mediaItemInvalid)
    }

    @Test("A mebibyte is the limit of an item's size")
    func size() {
        // The count of members, the key with its length, the kind, and a length of three bytes.
        let most = MediaItem.maximumSize - 1 - 2 - 1 - 3
        #expect(failure(["x": .data(Data(count: most))]) == nil)
        let failure = failure(["x": .data(Data(count: most + 1))])
        #expect(failure?.code == .mediaItemInvalid)
        #expect(failure?.message.contains("1048577") == true)
    }

    @Test("A key has 1 to 128 characters")
    func names() {
        let long = String(repeating: "é", count: 128)
        #expect(failure([MediaItemKey(long): 1]) == nil)
        #expect(failure([MediaItemKey(long + "e"): 1])?.code == .mediaItemInvalid)
        #expect(failure(["": 1])?.code == .mediaItemInvalid)
    }

    @Test("A value read as another type is nothing", .requirements("R-CC-026"))
    func clashes() throws {
        let item = try MediaItem(properties: [.teacher: "Ada", .episode: 3, "list": ["a", 1]])
        #expect(item[.teacher]?.integer == nil)
        #expect(item[.teacher]?.real == nil)
        #expect(item[.teacher]?.boolean == nil)
        #expect(item[.teacher]?.date == nil)
        #expect(item[.teacher]?.data == nil)
        #expect(item[.teacher]?.array == nil)
        #expect(item[.teacher]?.dictionary == nil)
        #expect(item[.episode]?.string == nil)
        #expect(item[.episode]?.boolean == nil)
        #expect(item[.episode]?.real == 3)
        #expect(item["list"]?.array?.last?.string == nil)
        #expect(item["nothing"]?.string == nil)
    }

    @Test("Keys of an app stand beside the predefined ones")
    func custom() throws {
        let item = try MediaItem(properties: [.title: "T", .teacher: "Ada", .episode: 3])
        #expect(item[.teacher]?.string == "Ada")
        #expect(item[.episode]?.integer == 3)
        #expect(MediaItemKey.teacher.rawValue == "teacher")
        #expect("\(MediaItemKey.teacher)" == "teacher")
        #expect(MediaItemKey(rawValue: "a") == MediaItemKey("a"))
    }
}
