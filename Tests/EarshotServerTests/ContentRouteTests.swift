import Crypto
import EarshotAPI
import EarshotCatalogs
import EarshotCore
import EarshotMedia
@testable import EarshotMusic
import EarshotRecognition
import EarshotSQLite
import Foundation
import NIOHTTP1
import TestSupport
import Testing

@testable import EarshotServer

@Suite("Pictures and texts over HTTP")
struct ContentRouteTests {
    @Test("an address holds for an hour, and then says that it has expired", .requirements("R-MC-180"))
    func expiry() async throws {
        try await TestService.run { (service: TestService) async throws in
            let token = try await service.token()
            let match = try #require(try await service.recognize(1, token: token, "coverArt=1").matches.first)
            let url = try #require(match.album.coverArt?.url)
            #expect(url.hasPrefix(service.base))
            #expect(try await service.ask(.GET, url).status == 200)
            service.time.advance(59 * 60)
            #expect(try await service.ask(.GET, url).status == 200)
            service.time.advance(2 * 60)
            let late = try await service.ask(.GET, url)
            #expect(late.status == 412)
            #expect(late.code == "contentExpired")
        }
    }

    @Test("nobody can make an address up, or another one out of one that is given")
    func forgery() async throws {
        try await TestService.run { (service: TestService) async throws in
            let token = try await service.token()
            let match = try #require(try await service.recognize(1, token: token, "coverArt=1").matches.first)
            let url = try #require(match.album.coverArt?.url)
            let name = try #require(url.split(separator: "/").last).split(separator: ".").map(String.init)
            let other = Data(ContentReference.review("rail", language: nil).text.utf8).base64URL
            let later = String(UInt64(name[0], radix: 16)! + 3600, radix: 16)
            let forged = [
                "\(later).\(name[1]).\(name[2])", "\(name[0]).\(other).\(name[2])", "\(name[0]).\(name[1]).AAAA", "x",
                "..", "%2e%2e%2fetc",
                "\(name[0]).\(name[1]).\(name[2])x",
            ]
            for token in forged {
                #expect(try await service.ask(.GET, "/v1/content/\(token)").status == 404, "\(token)")
            }
        }
    }

    @Test(
        "the first size in the list that there is, and none that is not in it",
        .requirements("R-MC-157", "R-MC-158", "R-MC-159", "R-MC-160", "R-MC-161", "R-MC-162", "R-MC-163", "R-MC-164"),
        arguments: [
            ("", "SMALL", "SMALL"), ("XLARGE,MEDIUM", "MEDIUM", nil), ("LARGE", nil, nil),
            ("LARGE,HUGE", "SMALL", "SMALL"),
            ("thumb", "THUMBNAIL", "THUMBNAIL"), ("THUMBNAIL", "THUMBNAIL", "THUMBNAIL"),
            ("XLARGE, small", "SMALL", "SMALL"),
        ] as [(String, String?, String?)]
    )
    func sizes(list: String, cover: String?, artist: String?) async throws {
        // The cover has 500 x 400 pixels, the artist's picture 100 x 200.
        try await TestService.run { (service: TestService) async throws in
            let token = try await service.token()
            var query = "coverArt=1&artistImages=1"
            if !list.isEmpty {
                query += "&sizes=" + (list.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")
            }
            let match = try #require(try await service.recognize(1, token: token, query).matches.first)
            let art = match.album.coverArt.flatMap { $0.isGenreArt ? nil : $0 }
            #expect(art?.size.rawValue == cover)
            #expect(match.artist.image?.size.rawValue == artist)
            if let art {
                let picture = try await service.ask(.GET, art.url)
                let header = try PictureHeader(of: [UInt8](picture.bytes))
                #expect(header.width == art.size.side && header.height == art.size.side)
                #expect(picture.headers.first(name: "Content-Type") == art.mimeType && header.mimeType == art.mimeType)
            }
        }
    }

    @Test(
        "texts are lists of paragraphs, in the answer and at their addresses",
        .requirements("R-MC-174", "R-MC-175", "R-MC-176", "R-MC-177", "R-MC-178")
    )
    func texts() async throws {
        struct Text: Decodable { let paragraphs: [String] }
        try await TestService.run { (service: TestService) async throws in
            let token = try await service.token()
            let query = "/v1/tracks/lantern?biography=1&review=1&coverArt=1&artistImages=1"
            let match = try #require(try await service.ask(.GET, query, token: token).matches.first)
            #expect(match.artist.biography == ["One.", "Two.", "Three."])
            #expect(match.album.review == ["First.", "Second.", "Third."])
            let biography = try await service.ask(.GET, try #require(match.artist.biographyURL))
            #expect(try biography.decoded(Text.self).paragraphs == ["One.", "Two.", "Three."])
            let review = try await service.ask(.GET, try #require(match.album.reviewURL))
            #expect(try review.decoded(Text.self).paragraphs == ["First.", "Second.", "Third."])
            #expect(match.album.coverArt?.url != nil && match.artist.image?.url != nil)
            let bare = try #require(
                try await service.ask(.GET, query.replacing("lantern", with: "plain") + "&genreArt=0", token: token)
                    .matches.first
            )
            #expect(bare.artist.biographyURL == nil && bare.album.reviewURL == nil)
            #expect(bare.artist.biography == nil && bare.album.review == nil)
            #expect(bare.album.coverArt == nil && bare.artist.image == nil)
            #expect(bare.track.number == -1 && bare.album.trackCount == -1)
        }
    }
}

@Suite("Addresses that expire")
struct SignedContentAddressTests {
    @Test("every reference comes back from its address")
    func roundTrip() async throws {
        func keyring() async throws -> Keyring {
            try await Keyring(SQLiteAccountStore.inMemory(), memory: 60, keyLifetime: 60, at: Date())
        }
        let addresses = SignedContentAddresses(keyring: try await keyring(), base: "https://x", lifetime: 60) {
            Date()
        }
        let references: [ContentReference] = [
            .picture("a/b c%2f", .large), .original("a/b c%2f"), .scaled("ü", side: 1_200),
            .genreArt("genre.rock", .thumbnail), .review("ü", language: "jpn"),
            .biography("x", language: nil),
        ]
        for reference in references {
            #expect(try addresses.reference(at: addresses.address(of: reference)).get() == reference)
            #expect(ContentReference(text: reference.text) == reference)
        }
        let others = SignedContentAddresses(keyring: try await keyring(), base: "https://x", lifetime: 60) {
            Date()
        }
        #expect(others.reference(at: addresses.address(of: references[0])) == .failure(ContentRefusal(status: 404)))
    }
}
