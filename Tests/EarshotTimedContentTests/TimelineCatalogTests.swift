import EarshotCatalogs
import EarshotCore
import EarshotSignatures
import EarshotTimedContent
import Foundation
import TestSupport
import Testing

@Suite("Timelines in catalogs")
struct TimelineCatalogTests {
    @Test("A timeline travels in the catalog and comes back with a match", .requirements("R-CC-087"))
    func travels() throws {
        let lesson = try Timeline(data: Data(TimelineTests.question.utf8))
        let timeline = try Timeline(
            lesson.entries,
            reference: "episode 3",
            metadata: ["teacher": "Ada", "level": .real(2)]
        )
        let music = SyntheticMusic(seed: 5, duration: 20)
        let item = try MediaItem(properties: [.title: "Counting"]).with(timeline: timeline)
        var catalog = Catalog()
        try catalog.add(try music.signature(seconds: 20), representing: [item, MediaItem()], id: "one")
        let loaded = try Catalog(data: try catalog.data())
        let items = try #require(try loaded.reference("one")).items
        #expect(try items[0].timeline == timeline)
        #expect(try items[1].timeline == nil)
        let bare = try items[0].with(timeline: nil)
        #expect(Set(bare.properties.keys) == [.title])
        let match = try #require(try loaded.match(try music.signature(from: 4, seconds: 6)))
        #expect(try match.mediaItems.first?.timeline == timeline)
    }

    @Test("What is no timeline is refused when the item is made, or when it is read")
    func refused() throws {
        for value: PropertyValue in ["x", [], [:], ["entries": 1], ["entries": [1]], ["entries": [["start": -1]]]] {
            #expect(code { _ = try MediaItem(properties: [.timeline: value]) } == .mediaItemInvalid)
        }
        let item = try MediaItem(properties: [.timeline: ["entries": [["start": 5, "end": 4, "id": "q"]]]])
        #expect(code { _ = try item.timeline } == .timelineInvalid)
        let later = try MediaItem(properties: [.timeline: ["version": 2, "entries": []]])
        #expect(code { _ = try later.timeline } == .timelineInvalid)
        let large = try Timeline(
            (0..<200).map { index in
                TimedEntry(id: "\(index)", title: String(repeating: "x", count: 6_000), start: .zero)
            }
        )
        #expect(code { _ = try MediaItem().with(timeline: large) } == .mediaItemInvalid)
    }
}
