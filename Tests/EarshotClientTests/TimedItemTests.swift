import EarshotCatalogs
import EarshotCore
import EarshotRecognition
import EarshotSQLite
import EarshotSignatures
import TestSupport
import Testing

@Suite("Media items with time ranges, asked of a service")
struct TimedItemTests {
    @Test(
        "A service names the item of the part that is heard",
        arguments: [(3.0, "Intro"), (40, "Verse"), (70, "Song")]
    )
    func parts(start: Double, title: String) async throws {
        let music = SyntheticMusic(seed: 5, duration: 80)
        var catalog = Catalog()
        let items = try [
            MediaItem(properties: [.title: "Intro", .timeRanges: [[0, 24]]]),
            MediaItem(properties: [.title: "Verse", .timeRanges: [[24, 60]]]),
            MediaItem(properties: [.title: "Song"]),
        ]
        try catalog.add(try music.signature(), representing: items, id: "lesson")
        let service = LocalRecognitionService(music: try SQLiteMusicStore.inMemory()) {
            [catalog] (signature) throws(EarshotError) in
            try catalog.match(signature)
        }
        let query = RecognitionQuery(try music.signature(from: start, seconds: 7), kind: .stream)
        let matches = try await service.recognize(query, ContentPreferences())
        #expect(matches.first?.track.title == title)
    }
}
