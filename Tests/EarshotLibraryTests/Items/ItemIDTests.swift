import EarshotCore
import EarshotLibrary
import EarshotMusic
import Foundation
import TestSupport
import Testing

@Suite("Identifiers of items")
struct ItemIDTests {
    private let hash = [UInt8](0..<32)

    @Test("An item keeps its identifier when its file is renamed, moved or tagged anew", .requirements("R-MR-009"))
    func stable() throws {
        // What names the file and what its tags say is not asked for: only the hash of the audio is.
        let before = MusicItem(
            id: try ItemID(audioHash: hash),
            assetURL: URL(string: "file:///a/one.mp3"),
            title: "One"
        )
        let after = MusicItem(
            id: try ItemID(audioHash: Data(hash)),
            assetURL: URL(string: "file:///b/two.mp3"),
            title: "Two"
        )
        #expect(before.id == after.id)
        #expect(before.id.rawValue == "audio-000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f")
        var index = LibraryIndex([before])
        index.add(after)
        #expect(index.items == [after])
    }

    @Test("An identifier is the same in every run", .requirements("R-MR-009"))
    func restart() throws {
        #expect(ItemID(library: "device", key: "123").rawValue == "key-d20d3489956b6c343505700dc006d91c")
        let id = try ItemID(audioHash: hash)
        let kept = try JSONDecoder().decode([ItemID].self, from: JSONEncoder().encode([id]))
        #expect(kept == [id] && kept.first?.hashValue == id.hashValue)
    }

    @Test("Different audio has different identifiers, and so have addresses that differ in letter case")
    func different() throws {
        #expect(try ItemID(audioHash: hash) != ItemID(audioHash: hash.reversed()))
        let (small, large) = (URL(fileURLWithPath: "/m/a.mp3"), URL(fileURLWithPath: "/m/A.mp3"))
        #expect(ItemID(address: small) != ItemID(address: large))
        #expect(ItemID(library: "a", key: "bc") != ItemID(library: "ab", key: "c"))
    }

    @Test("The same audio on two albums is told apart by what the tags say")
    func distinguished() throws {
        let id = try ItemID(audioHash: hash)
        #expect(id.distinguished(by: ["First", "1"]) != id.distinguished(by: ["Second", "1"]))
        #expect(id.distinguished(by: ["First", nil]) == id.distinguished(by: ["first", nil]))
        #expect(id.distinguished(by: ["First"]).rawValue.hasPrefix(id.rawValue + "~"))
    }

    @Test("A hash that is too short or too long is refused", arguments: [0, 15, 65])
    func refused(size: Int) {
        #expect { try ItemID(audioHash: [UInt8](repeating: 7, count: size)) } throws: { error in
            (error as? EarshotError)?.code == .metadataInvalid
        }
    }
}
