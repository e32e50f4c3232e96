import EarshotRecognition
import Foundation
import Testing

@Suite("Matches as JSON")
struct MusicMatchJSONTests {
    @Test("numbers that are not known are left out, and read as -1")
    func unknownNumbers() throws {
        let text = String(decoding: try JSONEncoder().encode(MusicMatch()), as: UTF8.self)
        #expect(!text.contains("trackNumber") && !text.contains("albumTrackCount") && !text.contains("-1"))
        let read = try JSONDecoder().decode(MusicMatch.self, from: Data(text.utf8))
        #expect(read == MusicMatch() && read.trackNumber == -1 && read.albumTrackCount == -1)
        // What older versions wrote.
        let old = text.replacing("{", with: "{\"trackNumber\":-1,\"albumTrackCount\":-1,", maxReplacements: 1)
        #expect(try JSONDecoder().decode(MusicMatch.self, from: Data(old.utf8)) == MusicMatch())
    }

    @Test("numbers that are known are there")
    func knownNumbers() throws {
        var match = MusicMatch()
        (match.trackNumber, match.albumTrackCount) = (3, 12)
        let data = try JSONEncoder().encode(match)
        let members = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        #expect(members["trackNumber"] as? Int == 3 && members["albumTrackCount"] as? Int == 12)
        #expect(try JSONDecoder().decode(MusicMatch.self, from: data) == match)
    }
}
