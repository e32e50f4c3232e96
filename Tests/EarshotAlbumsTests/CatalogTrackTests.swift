import EarshotCatalogs
import EarshotCore
import EarshotMusic
import EarshotRecognition
import EarshotSignatures
import TestSupport
import Testing

@Suite("References of tracks")
struct CatalogTrackTests {
    private static let sound = Signature.random(seed: 1, seconds: 4)

    private func track() throws -> Track {
        var track = Track(id: "t1", title: Name("Lantern"), credits: [ArtistCredit("The Tin Foxes")])
        track.identifiers = [try #require(MusicIdentifier(.isrc, "GBXYZ9900001"))]
        return track
    }

    @Test("a track's references are found by name, service id, ISRC, and artist and title", arguments: [false, true])
    func found(fromFile: Bool) throws {
        var catalog = Catalog()
        let items: [(ReferenceID, [MediaItemKey: PropertyValue])] = [
            ("t1", [:]), ("a", [.serviceID: "t1"]), ("b", [.isrc: "gb-xyz-99-00001"]),
            ("c", [.title: "LANTERN", .artist: "the tin foxes"]), ("d", [.title: "Lantern", .artist: "Owls"]),
            ("e", [.serviceID: "t2"]), ("f", [.title: "Lantern"]),
        ]
        for (number, (id, properties)) in items.enumerated() {
            let sound = Signature.random(seed: UInt64(number), seconds: 4 + number)
            try catalog.add(sound, representing: [try MediaItem(properties: properties)], id: id)
        }
        if fromFile { catalog = try Catalog(data: try catalog.data()) }
        let found = try catalog.references(ofTrack: try track(), artist: "The Tin Foxes")
        #expect(found.map(\.id) == ["t1", "a", "b", "c"])
        #expect(found.map(\.duration.seconds) == [4, 5, 6, 7] && found[1].items.first?.serviceID == "t1")
        // What is removed is found no more, what is added is.
        try catalog.remove("b")
        try catalog.add(Self.sound, representing: [try MediaItem(properties: [.serviceID: "t1"])], id: "g")
        #expect(try catalog.references(ofTrack: try track(), artist: nil).map(\.id) == ["t1", "a", "g"])
        #expect(try Catalog().references(ofTrack: try track(), artist: "The Tin Foxes").isEmpty)
    }
}
