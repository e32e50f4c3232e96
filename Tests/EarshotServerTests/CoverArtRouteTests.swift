import AsyncHTTPClient
import EarshotAPI
import EarshotCatalogs
import EarshotCore
import EarshotMedia
import EarshotMusic
@testable import EarshotRecognition
import EarshotSQLite
import Foundation
import NIOCore
import NIOHTTP1
import TestSupport
import Testing

@testable import EarshotServer

@Suite("Covers by the paths of the Cover Art Archive")
struct CoverArtRouteTests {
    private static let release = "76df3287-6cda-33eb-8e9a-044b5e15ffdd"
    private static let merged = "0b1c0c55-64c5-4a39-8f69-0a6a6a6d2b11"
    private static let later = "c1f8a5e0-7c1b-4a39-9f11-2a3b4c5d6e7f"
    private static let bare = "11111111-2222-3333-4444-555555555555"
    private static let group = "e5a1b2c3-d4e5-4f60-8a7b-9c0d1e2f3a4b"
    private static let unknown = "99999999-2222-3333-4444-555555555555"

    /// A release with a large cover, a small one and a back, a later one of its group, and one without pictures.
    private static func changes() throws -> [MusicChange] {
        func album(_ id: String, _ pictures: [EntityID<Picture>], date: String, isGrouped: Bool = true) -> Album {
            var album = Album(id: EntityID(id), title: Name("Album"))
            album.pictures = pictures
            album.date = PartialDate(date)
            album.identifiers = Set(
                [
                    MusicIdentifier(.musicBrainzRelease, id),
                    isGrouped ? MusicIdentifier(.musicBrainzReleaseGroup, group) : nil,
                ].compactMap(\.self)
            )
            return album
        }
        func picture(_ id: EntityID<Picture>, _ kind: Picture.Kind, _ width: Int, _ height: Int) throws -> MusicChange {
            var picture = Picture(id: id, kind: kind, mimeType: "image/png", width: width, height: height)
            picture.attribution = "By Ada, CC BY 4.0"
            return .picture(picture, try TestMusic.picture(width, height))
        }
        return [
            try picture("large", .cover, 1_400, 700), try picture("small", .cover, 300, 300),
            try picture("back", .back, 600, 600), try picture("later", .cover, 100, 100),
            .album(album(later, ["later"], date: "2010")),
            .album(album(release, ["large", "small", "back"], date: "1999")),
            .album(album(bare, [], date: "1990")),
            .album(album(merged, ["small"], date: "1980", isGrouped: false)),
            .mergeAlbum(EntityID(merged), into: EntityID(release)),
        ]
    }

    private static func run(
        _ access: ServiceSettings.CoverArtAccess = .everybody,
        _ body: (TestService) async throws -> Void
    ) async throws {
        var settings = ServiceSettings()
        settings.coverArtAccess = access
        try await TestService.run(settings) { (service: TestService) async throws in
            try await service.music.apply(try changes())
            try await body(service)
        }
    }

    private struct Listing: Decodable {
        struct Image: Decodable {
            let id: String
            let types: [String]
            let front: Bool
            let back: Bool
            let edit: Int
            let image: String
            let comment: String
            let approved: Bool
            let thumbnails: [String: String]
        }
        let release: String
        let images: [Image]
    }

    @Test("the list of a release's pictures has the archive's form, and all its addresses lead to pictures")
    func listing() async throws {
        try await Self.run { service in
            let reply = try await service.ask(.GET, "/release/\(Self.release)")
            #expect(reply.status == 200 && reply.headers.first(name: "Content-Type") == "application/json")
            let listing = try reply.decoded(Listing.self)
            #expect(listing.release == "https://musicbrainz.org/release/\(Self.release)")
            #expect(listing.images.map(\.types) == [["Front"], ["Front"], ["Back"]])
            #expect(listing.images.map(\.front) == [true, false, false])
            #expect(listing.images.map(\.back) == [false, false, true])
            let areTold = listing.images.allSatisfy { $0.approved && $0.edit == 0 && $0.comment.hasPrefix("By Ada") }
            #expect(areTold)
            #expect(Set(listing.images.map(\.id)).count == 3)
            // A number, which clients with floating point read exactly.
            #expect(listing.images.allSatisfy { UInt64($0.id).map { $0 <= 1 << 53 } == true })
            for (image, longest) in zip(listing.images, [1_400, 300, 600]) {
                #expect(image.image == "\(service.base)/release/\(Self.release)/\(image.id).png")
                #expect(Set(image.thumbnails.keys) == ["250", "500", "1200", "small", "large"])
                #expect(image.thumbnails["small"] == image.thumbnails["250"])
                #expect(image.thumbnails["large"] == image.thumbnails["500"])
                #expect(try await side(image.image, service) == longest)
                for size in [250, 500, 1_200] {
                    let address = try #require(image.thumbnails[String(size)])
                    #expect(try await side(address, service) == min(size, longest), "\(address)")
                }
            }
        }
    }

    /// The longer side of the picture at an address.
    private func side(_ address: String, _ service: TestService) async throws -> Int {
        let reply = try await service.ask(.GET, address)
        #expect(reply.status == 200 && reply.headers.first(name: "Content-Type") == "image/png", "\(address)")
        let header = try PictureHeader(of: [UInt8](reply.bytes))
        return max(header.width, header.height)
    }

    @Test("front and back lead to pictures, in their own shape, and those that are small enough as they are kept")
    func pictures() async throws {
        try await Self.run { service in
            let (place, large) = ("/release/\(Self.release)", try TestMusic.picture(1_400, 700))
            let (square, edge) = (try TestMusic.picture(300, 300), try TestMusic.picture(600, 600))
            let whole = try await service.ask(.GET, "\(place)/front")
            #expect(whole.bytes == large)
            let small = try PictureHeader(of: [UInt8](try await service.ask(.GET, "\(place)/front-250").bytes))
            #expect((small.width, small.height) == (250, 125))
            #expect(try await side("\(place)/front-500.jpg", service) == 500)
            let back = try await service.ask(.GET, "\(place)/back-1200")
            #expect(back.bytes == edge)
            let number = CoverArtRelease.number(of: "small")
            for name in ["\(number)", "\(number).jpg", "\(number)-500", "\(number)-1200.jpg"] {
                let reply = try await service.ask(.GET, "\(place)/\(name)")
                #expect(reply.bytes == square, "\(name)")
            }
        }
    }

    @Test("the answer is a redirect to the service's own address, which ends as all of them do")
    func redirect() async throws {
        try await Self.run { service in
            var configuration = HTTPClient.Configuration()
            configuration.redirectConfiguration = .disallow
            let client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
            let request = HTTPClientRequest(url: "\(service.base)/release/\(Self.release)/front")
            let answer = try await client.execute(request, timeout: .seconds(60))
            let body = try await answer.body.collect(upTo: 1 << 20)
            try await client.shutdown()
            #expect(answer.status == .temporaryRedirect && body.readableBytes == 0)
            let address = try #require(answer.headers.first(name: "Location"))
            #expect(address.hasPrefix("\(service.base)/v1/content/"))
            #expect(try await service.ask(.GET, address).status == 200)
            service.time.advance(2 * 3_600)
            #expect(try await service.ask(.GET, address).status == 412)
            // The path itself goes on.
            #expect(try await service.ask(.GET, "/release/\(Self.release)/front").status == 200)
        }
    }

    @Test("an identifier that was merged leads to what it was merged into")
    func merging() async throws {
        try await Self.run { service in
            let listing = try await service.ask(.GET, "/release/\(Self.merged)").decoded(Listing.self)
            #expect(listing.release.hasSuffix(Self.release) && listing.images.count == 3)
            let front = try await service.ask(.GET, "/release/\(Self.merged.uppercased())/front")
            let large = try TestMusic.picture(1_400, 700)
            #expect(front.bytes == large)
        }
    }

    @Test("an album that only carries the identifier is found by it")
    func carried() async throws {
        try await Self.run { service in
            var album = Album(id: "own-name", title: Name("Own"))
            album.identifiers = Set([MusicIdentifier(.musicBrainzRelease, Self.unknown)].compactMap(\.self))
            album.pictures = ["gone", "small"]
            try await service.music.apply([.album(album)])
            let listing = try await service.ask(.GET, "/release/\(Self.unknown)").decoded(Listing.self)
            #expect(listing.release.hasSuffix(Self.unknown) && listing.images.map(\.front) == [true])
        }
    }

    @Test("a release group has the pictures of its earliest release that has a cover")
    func groups() async throws {
        try await Self.run { service in
            let listing = try await service.ask(.GET, "/release-group/\(Self.group)").decoded(Listing.self)
            #expect(listing.release.hasSuffix(Self.release) && listing.images.count == 3)
            #expect(try await side("/release-group/\(Self.group)/front-250", service) == 250)
            // Without its pictures the next one takes its place.
            try await service.music.apply([.removeAlbum(EntityID(Self.release))])
            let next = try await service.ask(.GET, "/release-group/\(Self.group)").decoded(Listing.self)
            #expect(next.release.hasSuffix(Self.later))
            #expect(try await service.ask(.GET, "/release-group/\(Self.group)/back").status == 404)
        }
    }

    @Test("what is not there is not found, and what is no identifier is refused")
    func refusals() async throws {
        try await Self.run { service in
            let missing = [
                "/release/\(Self.unknown)", "/release/\(Self.unknown)/front", "/release/\(Self.bare)",
                "/release/\(Self.bare)/front-250", "/release/\(Self.later)/back", "/release/\(Self.release)/12345",
                "/release/\(Self.group)", "/release-group/\(Self.release)", "/release-group/\(Self.unknown)/front",
            ]
            for path in missing {
                let reply = try await service.ask(.GET, path)
                #expect(reply.status == 404 && reply.code == "entityNotFound", "\(path)")
            }
            let refused = [
                "/release/1", "/release/front", "/release/\(Self.release)x", "/release/%2e%2e/front",
                "/release-group/x/front",
            ]
            let names = [
                "side", "front-100", "front-", "-250", "front-250-250", "front.exe", "18446744073709551616", "1x",
            ]
            for path in refused + names.map({ "/release/\(Self.release)/\($0)" }) {
                let reply = try await service.ask(.GET, path)
                #expect(reply.status == 400 && reply.code == "requestInvalid", "\(path)")
            }
        }
    }

    @Test("unless everybody may ask, it takes a token of a client that is entitled to covers")
    func access() async throws {
        try await Self.run(.clients) { service in
            let token = try await service.token()
            var change = ClientChange()
            change.entitlements = [.links]
            let other = try await service.token(change)
            for path in ["/release/\(Self.release)", "/release/\(Self.release)/front", "/release-group/\(Self.group)"] {
                #expect(try await service.ask(.GET, path).status == 401)
                #expect(try await service.ask(.GET, path, token: other).status == 403)
                #expect(try await service.ask(.GET, path, token: token).status == 200)
            }
        }
        #expect(ServiceSettings().coverArtAccess == .clients)
    }

    @Test("the back of a cover is not shown as the cover")
    func backs() async throws {
        try await Self.run { service in
            var album = Album(id: "rail", title: Name("Rail"))
            album.pictures = ["back"]
            try await service.music.apply([.album(album)])
            let path = "/v1/albums/rail?coverArt=1&genreArt=0"
            let match = try await service.ask(.GET, path, token: try await service.token()).matches.first
            #expect(match?.album.id == "rail" && match?.album.coverArt == nil)
        }
    }

    @Test("the members of the list are those that the description names")
    func members() async throws {
        try await Self.run { service in
            let reply = try await service.ask(.GET, "/release/\(Self.release)")
            let object = try #require(try JSONSerialization.jsonObject(with: reply.bytes) as? [String: Any])
            let image = try #require((object["images"] as? [[String: Any]])?.first)
            for (name, keys) in [("CoverArtListing", object.keys), ("CoverArtImage", image.keys)] {
                guard case .object(let known)? = Schemas.all[name]?["properties"] else {
                    Issue.record("there is no schema \(name)")
                    return
                }
                #expect(Set(keys) == Set(known.keys))
            }
        }
    }
}
