import EarshotAPI
import EarshotCore
import EarshotMusic
import EarshotSQLite
import Foundation
import NIOHTTP1
import TestSupport
import Testing

@testable import EarshotServer

@Suite("Pages of music")
struct MusicPageTests {
    /// The addresses of the results of a page.
    private func results(_ page: String) -> [String] {
        page.matches(of: /<li class="item">.*\n<div class="wide"><div><a href="([^"]*)">/).map { String($0.output.1) }
    }

    @Test(
        "tracks, albums, artists and lyrics are found",
        arguments: [
            ("q=lantern", "/tracks/lantern"), ("q=tin+foxes", "/tracks/lantern"),
            ("q=morning+rail&in=albums", "/albums/rail"),
            ("q=foxes&in=artists", "/artists/foxes"), ("q=over+the+hill&in=lyrics", "/tracks/lantern"),
            ("artist=foxes&track=lantern", "/tracks/lantern"),
        ]
    )
    func searching(query: String, address: String) async throws {
        try await TestService.run(pages: .open) { (service: TestService) async throws in
            let page = try await PageVisitor(service).page("/search?\(query)")
            #expect(page.status == 200)
            #expect(results(page.text) == [address])
            #expect(!page.text.contains("{{"))
        }
    }

    @Test(
        "an address that somebody has changed shows a page all the same",
        arguments: [
            "", "?", "?q=", "?offset=7&q=nothing+of+this+name", "?offset=-5&q=lantern", "?offset=x&q=lantern&in=stars",
            "?q=%FF%FE", "?q=" + String(repeating: "a", count: 3_000), "?q=%3Cscript%3Ealert(1)%3C/script%3E",
        ]
    )
    func addresses(query: String) async throws {
        try await TestService.run(pages: .open) { (service: TestService) async throws in
            let page = try await PageVisitor(service).page("/search" + query)
            #expect(page.status == 200)
            #expect(!page.text.contains("<script>"))
        }
    }

    @Test("results come by five, with links to the pages before and after", .requirements("R-MC-220"))
    func paging() async throws {
        try await TestService.run(pages: .open) { (service: TestService) async throws in
            try await service.music.apply(
                (0..<12).map { .track(Track(id: EntityID("n\($0)"), title: Name("Numbered song"))) }
            )
            let person = PageVisitor(service)
            var (address, seen, pages) = ("/search?q=numbered", [String](), 0)
            while true {
                let page = try await person.page(address).text
                seen += results(page)
                pages += 1
                #expect(page.contains("rel=\"prev\"") == (pages > 1))
                guard let next = page.firstMatch(of: /rel="next" href="([^"]*)"/)?.output.1 else { break }
                #expect(results(page).count == 5)
                address = String(next).replacing("&amp;", with: "&")
                #expect(address == "/search?q=numbered&offset=\(5 * pages)")
            }
            #expect(pages == 3 && seen.count == 12 && Set(seen).count == 12)
            let behind = try await person.page("/search?q=numbered&offset=50").text
            #expect(results(behind).isEmpty && behind.contains("href=\"/search?q=numbered\""))
        }
    }

    @Test("pages of a track, an album and an artist tell what is known")
    func entities() async throws {
        try await TestService.run(pages: .open) { (service: TestService) async throws in
            let person = PageVisitor(service)
            let track = try await person.page("/tracks/lantern").text
            for part in [
                "<h1>Lantern", "href=\"/albums/rail\"", "href=\"/artists/foxes\"", "0:40",
                "Carry the lantern over the hill",
                "First.", "/v1/content/", "1999", "shop: 0099",
            ] { #expect(track.contains(part), "\(part)") }
            let album = try await person.page("/albums/rail").text
            for part in ["<h1>Morning Rail", "href=\"/tracks/lantern\"", "0:40", "1999-05", "Third.", "Shoegaze"] {
                #expect(album.contains(part), "\(part)")
            }
            let artist = try await person.page("/artists/foxes").text
            for part in ["<h1>The Tin Foxes", "href=\"/albums/rail\"", "Austria", "Two.", "Tin Foxes"] {
                #expect(artist.contains(part), "\(part)")
            }
            #expect(try await person.page("/tracks/lantern", language: "ja").text.contains("<h1>ランタン"))
            for kind in ["tracks", "albums", "artists"] {
                let missing = try await person.page("/\(kind)/none%20%3Cb%3E")
                #expect(missing.status == 404 && missing.text.contains("href=\"/search\""))
            }
        }
    }

    @Test("what was merged leads to the page of what it was merged into")
    func merged() async throws {
        try await TestService.run(pages: .open) { (service: TestService) async throws in
            try await service.music.apply([.mergeTrack("plain", into: "lantern")])
            let page = try await PageVisitor(service).page("/tracks/plain")
            #expect(page.status == 303 && page.location == "/tracks/lantern")
        }
    }

    @Test("markup in names stays text")
    func markup() async throws {
        try await TestService.run(pages: .open) { (service: TestService) async throws in
            let evil = "<b>a</b><script>alert(1)</script>\""
            var artist = Artist(id: "e\"<", name: Name(evil, alternates: [evil]))
            artist.biography = Paragraphs(["eng": [evil]])
            artist.links = [ExternalLink(source: evil, id: "1", address: "javascript:alert(1)")]
            var album = Album(
                id: "a/<b>",
                title: Name(evil),
                credits: [ArtistCredit(evil, artist: artist.id, joint: evil)]
            )
            album.review = Paragraphs(["eng": [evil]], attribution: evil)
            let track = Track(id: "t?<i>", title: Name(evil), place: Track.Place(album: album.id, number: 1))
            var words = Lyrics(id: "w", tracks: [track.id], lines: [Lyrics.Line(evil)])
            words.attribution = evil
            try await service.music.apply([.artist(artist), .album(album), .track(track), .lyrics(words)])
            let person = PageVisitor(service)
            for path in ["/tracks/t%3F%3Ci%3E", "/albums/a%2F%3Cb%3E", "/artists/e%22%3C", "/search?q=alert"] {
                let page = try await person.page(path)
                #expect(page.status == 200, "\(path)")
                #expect(page.text.contains("&lt;script&gt;"), "\(path)")
                #expect(!page.text.contains("<script>") && !page.text.contains("<b>a</b>"), "\(path)")
                #expect(!page.text.contains("href=\"javascript"), "\(path)")
            }
        }
    }

    @Test("where visitors are not answered, the way leads to signing in")
    func signingIn() async throws {
        try await TestService.run(pages: .accounts) { (service: TestService) async throws in
            let visitor = try await PageVisitor(service).page("/tracks/lantern")
            #expect(visitor.status == 303 && visitor.location == "/sign-in?back=%2Ftracks%2Flantern")
            let ada = PageVisitor(service)
            try await ada.signIn("Ada")
            #expect(try await ada.page("/tracks/lantern").text.contains("<h1>Lantern"))
        }
    }
}
