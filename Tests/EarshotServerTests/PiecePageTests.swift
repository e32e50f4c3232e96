import EarshotAPI
import EarshotCore
import EarshotPieces
import Foundation
import NIOHTTP1
import TestSupport
import Testing

#if canImport(FoundationXML)
    import FoundationXML
#endif

@testable import EarshotServer

@Suite("Pages and feeds of pieces")
struct PiecePageTests {
    private static let evil = "\"'><script>alert(1)</script>&<b>"

    /// What a feed names, element by element.
    private final class Names: NSObject, XMLParserDelegate {
        var names: [String] = []
        var enclosures: [[String: String]] = []
        var text = ""
        func parser(
            _ parser: XMLParser,
            didStartElement name: String,
            namespaceURI: String?,
            qualifiedName: String?,
            attributes: [String: String]
        ) {
            names.append(name)
            if name == "enclosure" { enclosures.append(attributes) }
        }
        func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }
    }

    private func page(_ service: TestService, _ path: String, token: String? = nil) async throws -> (Int, String) {
        let reply = try await service.ask(.GET, path)
        return (reply.status, String(decoding: reply.bytes, as: UTF8.self))
    }

    private func app(_ service: TestService) async throws {
        let client = try await service.client()
        _ = try await ApplicationRegister(service.server.pieces.store, service.accounts).put(
            "sketcher",
            name: "S\(Self.evil)",
            site: URL(string: "https://sketcher.example/?a=1&b=2"),
            client: client.id
        )
    }

    @Test("what people write is shown and not run")
    func escaping() async throws {
        try await TestService.run { (service: TestService) async throws in
            try await app(service)
            let token = try await service.author("A\(Self.evil)")
            let cover = TestService.Part(.cover, try TestMusic.picture(640, 640))
            let file = TestService.Part(.attachment, Data("x".utf8), fileName: "f\"<i>.xyz")
            let form = DraftForm(title: "T\(Self.evil)", length: 2_000_000, tempo: FixedTempo(90.5))
            let piece = try await service.drop(
                form,
                [.stem(), cover, file],
                description: "D\(Self.evil)",
                token: token
            )
            let child = DraftForm(title: "C\(Self.evil)", length: 2_000_000, basedOn: [piece.id.description])
            let other = try await service.drop(child, token: token)
            for path in [
                "/pieces", "/pieces?q=%22%3E%3Cscript%3Ealert(1)", "/pieces/\(piece.id)", "/pieces/\(other.id)",
                "/pieces/\(piece.id)/open/sketcher", "/embed/\(piece.id)", PieceLinks.author(piece.author),
            ] {
                let (status, html) = try await page(service, path)
                #expect(status == 200, "\(path)")
                for word in ["<script>", "<b>", "<i>", "\"'>"] { #expect(!html.contains(word), "\(path) \(word)") }
            }
            let (_, html) = try await page(service, "/pieces/\(piece.id)")
            for word in [
                "T&quot;&#39;&gt;&lt;script&gt;", "Key unknown", "90.5 BPM", "<audio", "/v1/pieces/\(piece.id)/cover",
                "/pieces/\(piece.id)/open/sketcher", "iframe", "/pieces/\(other.id)",
            ] {
                #expect(html.contains(word), "\(word)")
            }
            #expect(try await page(service, "/pieces/\(other.id)").1.contains("/pieces/\(piece.id)"))
            let (_, open) = try await page(service, "/pieces/\(piece.id)/open/SKETCHER")
            #expect(open.contains("0;url=piece-sketcher://open?id=\(piece.id)"))
            #expect(open.contains("https://sketcher.example/?a=1&amp;b=2"))
        }
    }

    @Test("an author has a page of listed pieces, under the name in any letter case")
    func author() async throws {
        try await TestService.run { (service: TestService) async throws in
            let token = try await service.author("Ada & Co")
            let piece = try await service.drop(token: token)
            let hidden = try await service.drop(visibility: .private, token: token)
            let other = try await service.drop(token: try await service.author("Grace"))
            let (status, html) = try await page(service, "/authors/ada%20%26%20co")
            #expect(status == 200 && html.contains("<h1>Ada &amp; Co</h1>"))
            #expect(html.contains(piece.id.description))
            for id in [hidden.id, other.id] { #expect(!html.contains(id.description)) }
            #expect(try await page(service, "/pieces/\(piece.id)").1.contains("/authors/Ada%20%26%20Co"))
            #expect(try await page(service, "/authors/nobody").0 == 404)
        }
    }

    @Test("only what is to stand in pages of others can")
    func framing() async throws {
        try await TestService.run { (service: TestService) async throws in
            let piece = try await service.drop(token: try await service.author("Ada"))
            func policy(_ path: String) async throws -> String {
                try await service.ask(.GET, path).headers.first(name: "Content-Security-Policy") ?? ""
            }
            #expect(try await policy("/embed/\(piece.id)").contains("frame-ancestors *"))
            for path in ["/pieces", "/pieces/\(piece.id)", "/", "/device"] {
                #expect(try await policy(path).contains("frame-ancestors 'none'"))
                #expect(try await policy(path).contains("default-src 'none'"))
            }
            #expect(try await policy("/pieces/\(piece.id)").contains("media-src 'self'"))
        }
    }

    @Test("of a private piece that was removed others are not told that it was there")
    func removedPrivatePiece() async throws {
        try await TestService.run { (service: TestService) async throws in
            let token = try await service.author("Ada")
            let other = try await service.author("Grace")
            let piece = try await service.drop(visibility: .private, token: token)
            let path = "/v1/pieces/\(piece.id)"
            #expect(try await service.ask(.DELETE, path, token: token).status == 204)
            #expect(try await service.ask(.GET, path, token: token).status == 410)
            #expect(try await service.ask(.GET, path, token: service.admin).status == 410)
            for rest in ["", "/audio", "/cover", "/attachment", "/ancestors", "/descendants", "/findings"] {
                #expect(try await service.ask(.GET, path + rest, token: other).status == 404, "\(rest)")
            }
            #expect(try await service.ask(.DELETE, path, token: other).status == 404)
            #expect(try await service.ask(.POST, path + "/publish", token: other).status == 404)
            for page in ["/pieces/\(piece.id)", "/embed/\(piece.id)", "/pieces/\(piece.id)/activity.json"] {
                #expect(try await service.ask(.GET, page).status == 404, "\(page)")
            }
        }
    }

    @Test("a piece that was removed, is private, or never was, is said to be so")
    func missing() async throws {
        try await TestService.run { (service: TestService) async throws in
            let token = try await service.author("Ada")
            let gone = try await service.drop(token: token)
            let child = DraftForm(title: "Child", length: 2_000_000, basedOn: [gone.id.description])
            let kept = try await service.drop(child, token: token)
            let hidden = try await service.drop(visibility: .private, token: token)
            _ = try await service.ask(.DELETE, "/v1/pieces/\(gone.id)", token: token)
            for path in ["", "/open/sketcher"] {
                let (status, html) = try await page(service, "/pieces/\(gone.id)\(path)")
                #expect(status == 410 && html.contains("removed"))
                #expect(try await page(service, "/pieces/\(hidden.id)\(path)").0 == 404)
                #expect(try await page(service, "/pieces/x\(path)").0 == 404)
            }
            #expect(try await page(service, "/embed/\(gone.id)").0 == 410)
            #expect(try await page(service, "/pieces/\(gone.id)/activity.json").0 == 410)
            #expect(try await page(service, "/pieces/\(kept.id)/open/none").0 == 404)
            #expect(try await page(service, "/pieces/\(kept.id)").1.contains("a piece that was removed"))
            #expect(!(try await page(service, "/pieces").1.contains(hidden.id.description)))
        }
    }

    @Test("the feed is XML with the sound of each piece")
    func rss() async throws {
        try await TestService.run { (service: TestService) async throws in
            let token = try await service.author("A\(Self.evil)")
            let form = DraftForm(title: "T\(Self.evil)", length: 2_000_000)
            let piece = try await service.drop(form, description: "D\(Self.evil)\u{B}", token: token)
            _ = try await service.drop(visibility: .unlisted, token: token)
            let reply = try await service.ask(.GET, "/pieces.rss")
            #expect(reply.headers.first(name: "Content-Type")?.hasPrefix("application/rss+xml") == true)
            let parser = XMLParser(data: reply.bytes)
            let names = Names()
            parser.delegate = names
            #expect(parser.parse())
            #expect(names.names.filter { $0 == "item" }.count == 1)
            let enclosure = try #require(names.enclosures.first)
            let stem = TestService.Part.stem()
            #expect(enclosure["length"] == "\(stem.data.count)" && enclosure["type"] == "audio/wav")
            #expect(try await service.ask(.GET, try #require(enclosure["url"])).bytes == stem.data)
            #expect(names.text.contains("T\(Self.evil)") && names.text.contains("urn:uuid:\(piece.id)"))
            #expect(names.text.contains("Fri, 15 Jan 2027 08:00:00 GMT"))
        }
    }

    @Test("pieces are told by ActivityStreams and oEmbed")
    func objects() async throws {
        try await TestService.run { (service: TestService) async throws in
            let token = try await service.author("Ada")
            let parent = try await service.drop(token: token)
            let form = DraftForm(title: "T\(Self.evil)", length: 2_500_000, basedOn: [parent.id.description])
            let piece = try await service.drop(form, description: Self.evil, token: token)
            func object(_ path: String) async throws -> [String: Any] {
                let reply = try await service.ask(.GET, path)
                #expect(reply.status == 200, "\(path)")
                return try #require(try JSONSerialization.jsonObject(with: reply.bytes) as? [String: Any])
            }
            let all = try await object("/pieces.activity.json")
            #expect(all["type"] as? String == "OrderedCollection" && all["totalItems"] as? Int == 2)
            #expect((all["orderedItems"] as? [[String: Any]])?.map { $0["type"] as? String } == ["Audio", "Audio"])
            let audio = try await object("/pieces/\(piece.id)/activity.json")
            #expect(audio["@context"] as? String == "https://www.w3.org/ns/activitystreams")
            #expect(audio["name"] as? String == "T\(Self.evil)" && audio["duration"] as? String == "PT2.5S")
            #expect((audio["content"] as? String)?.contains("<") == false)
            let page = "\(service.base)/pieces/\(piece.id)"
            let embed = try await object("/oembed?url=\(page)&maxwidth=200")
            #expect(embed["type"] as? String == "rich" && embed["width"] as? Int == 200)
            let html = try #require(embed["html"] as? String)
            #expect(html.contains("/embed/\(piece.id)") && !html.contains("<script"))
            #expect(try await service.ask(.GET, "/oembed?url=\(page)&format=xml").status == 501)
            for wrong in ["https://evil.example/pieces/\(piece.id)", "\(service.base)/pieces/x", "x", ""] {
                #expect(try await service.ask(.GET, "/oembed?url=\(wrong)").status == 404, "\(wrong)")
            }
        }
    }
}
