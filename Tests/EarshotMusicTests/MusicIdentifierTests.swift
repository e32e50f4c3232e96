import EarshotMusic
import Foundation
import TestSupport
import Testing

@Suite("Identifiers of the trade")
struct MusicIdentifierTests {
    @Test(
        "An identifier is brought to its usual form",
        arguments: [
            (.isrc, "GB-AYE-06-01498", "GBAYE0601498"), (.isrc, "gbaye0601498", "GBAYE0601498"),
            (.iswc, "T-034.524.680-1", "T0345246801"), (.barcode, "4 006381 333931", "4006381333931"),
            (.barcode, "036000291452", "036000291452"), (.barcode, "96385074", "96385074"),
            (.isni, "0000 0001 2103 2683", "0000000121032683"),
            (.wikidata, "q42", "Q42"), (.discogsRelease, "249504", "249504"),
            (.musicBrainzRelease, "F27EC8DB-AF05-4F36-916E-3D57F91ECF5E", "f27ec8db-af05-4f36-916e-3d57f91ecf5e"),
        ] as [(MusicIdentifier.Scheme, String, String)]
    )
    func forms(scheme: MusicIdentifier.Scheme, text: String, value: String) throws {
        let identifier = try #require(MusicIdentifier(scheme, text))
        #expect(identifier.value == value)
        #expect(identifier.description == "\(scheme.rawValue):\(value)")
        let data = try JSONEncoder().encode([identifier])
        #expect(try JSONDecoder().decode([MusicIdentifier].self, from: data) == [identifier])
    }

    @Test(
        "What has another form, or a wrong check digit, is none",
        arguments: [
            (.isrc, "GBAYE060149"), (.isrc, "1BAYE0601498"), (.isrc, ""), (.iswc, "T0345246802"), (.iswc, "0345246801"),
            (.wikidata, "42"), (.wikidata, "Q042"), (.wikidata, "Q"), (.discogsArtist, "0"), (.discogsMaster, "m12"),
            (.barcode, "4006381333932"), (.barcode, "0000000000000"), (.barcode, "12345"),
            (.isni, "0000000121032684"), (.musicBrainzArtist, "f27ec8db-af05-4f36-916e-3d57f91ecf5"),
            (.musicBrainzArtist, "g27ec8db-af05-4f36-916e-3d57f91ecf5e"), (.barcode, "４００６３８１３３３９３１"),
        ] as [(MusicIdentifier.Scheme, String)]
    )
    func refused(scheme: MusicIdentifier.Scheme, text: String) {
        #expect(MusicIdentifier(scheme, text) == nil)
    }

    @Test("Any text is an identifier or none")
    func anyText() {
        property("identifiers") { generator in
            let text = String(
                (0..<Int.random(in: 0...40, using: &generator)).map { _ in
                    Character(Unicode.Scalar(UInt8.random(in: 0...127, using: &generator)))
                }
            )
            return MusicIdentifier.Scheme.allCases.allSatisfy { scheme in
                guard let identifier = MusicIdentifier(scheme, text) else { return true }
                // What is in its usual form stays so.
                return MusicIdentifier(scheme, identifier.value) == identifier
            }
        }
    }
}
