import EarshotAPI
import EarshotCore
import Foundation
import NIOHTTP1
import TestSupport
import Testing

@testable import EarshotServer

@Suite("Texts of pages")
struct PageTextsTests {
    @Test(
        "the language is the one chosen, else the one that the browser prefers of those there are",
        arguments: [
            (nil, nil, "en"), (nil, "de", "de"), (nil, "de-CH, en;q=0.5", "de"), (nil, "fr, ja;q=0.3, de;q=0.4", "de"),
            ("ja", "de", "ja"), ("xx", "de", "de"), (nil, "de;q=0, ja", "ja"), (nil, "*", "en"), (nil, ";;;,,q=", "en"),
            (nil, "fr", "en"),
        ]
    )
    func language(chosen: String?, accepted: String?, expected: String) throws {
        #expect(try PageTexts(PageAssets()).language(chosen: chosen, accepted: accepted) == expected)
    }

    @Test("every text of another language has an English one with the same places for values, and none is missing")
    func complete() throws {
        let texts = try PageTexts(PageAssets())
        let own = PageAssets().files(of: "json")
        func places(_ text: String) -> [String] { text.matches(of: /\{\w+\}/).map { String($0.output) }.sorted() }
        let english = texts.texts("en")
        for name in texts.names where name != "en" {
            let file = try #require(own["texts-\(name)"])
            let given = try JSONDecoder().decode(PageTexts.Language.self, from: Data(file))
            for (group, entries) in english {
                for (key, text) in entries {
                    let other = given[group]?[key]
                    #expect(other != nil, "\(name) lacks \(group).\(key)")
                    #expect(places(other ?? text) == places(text), "\(name): \(group).\(key)")
                }
            }
            for (group, entries) in given {
                for key in entries.keys { #expect(english[group]?[key] != nil, "\(name) has \(group).\(key)") }
            }
        }
    }

    @Test("every file of the folder is one of the program's, and every name that scripts and templates use is a text")
    func used() throws {
        let assets = PageAssets()
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Sources/EarshotServer/Web")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { !$0.hasPrefix(".") }
        #expect(Set(files) == Set(PageAssets.own.keys))
        let english = try PageTexts(assets).texts("en")
        for (name, bytes) in assets.files(of: "mustache") {
            for use in String(decoding: bytes, as: UTF8.self).matches(of: /\{\{text\.([a-z-]+)\.(\w+)\}\}/) {
                let (group, key) = (String(use.output.1), String(use.output.2))
                #expect(english[group]?[key] != nil, "\(name): \(group).\(key)")
            }
        }
        for (name, bytes) in assets.files(of: "js") {
            for use in String(decoding: bytes, as: UTF8.self).matches(of: /\bt\('([a-z-]+)\.([\w-]+)'/) {
                let (group, key) = (String(use.output.1), String(use.output.2))
                #expect(english[group]?[key] != nil, "\(name): \(group).\(key)")
            }
        }
    }

    @Test("files of a folder stand in for the program's, and no path leads out of it")
    func folder() throws {
        try withTemporaryFolder { folder in
            try Data("body {}".utf8).write(to: folder.appendingPathComponent("earshot.css"))
            let assets = PageAssets(folder: folder)
            #expect(assets.file("earshot.css").map { String(decoding: $0, as: UTF8.self) } == "body {}")
            #expect(assets.file("page.js") != nil)
            for name in ["../secret.js", "..", ".", "", "/etc/passwd", "a/b", "A.js", ".js", "%2e%2e"] {
                #expect(assets.file(name) == nil, "\(name)")
            }
        }
    }

    @Test("files have addresses that change with them, and are kept by browsers")
    func files() async throws {
        try await TestService.run(pages: .open) { (service: TestService) async throws in
            let page = try await PageVisitor(service).send(.GET, "/").text
            let address = try #require(page.firstMatch(of: /href="(\/web\/[^"]*\.css)"/).map { String($0.output.1) })
            let reply = try await service.ask(.GET, address)
            #expect(reply.status == 200 && reply.headers.first(name: "Cache-Control")?.contains("immutable") == true)
            // The client unpacks what comes packed.
            let packed = try await service.ask(.GET, address, headers: [("Accept-Encoding", "gzip")])
            #expect(packed.headers.first(name: "Content-Encoding") == "gzip" && packed.bytes == reply.bytes)
            let sent = try #require(packed.headers.first(name: "Content-Length").flatMap { Int($0) })
            #expect(sent < reply.bytes.count / 2)
            #expect(try await service.ask(.GET, "/web/x/layout.mustache").status == 404)
            #expect(try await service.ask(.GET, "/web/x/none.js").status == 404)
            let other = try await service.ask(.GET, "/web/old/page.js")
            #expect(other.status == 200 && other.headers.first(name: "Cache-Control") == "no-cache")
        }
    }

    @Test("pages know how much of a recording the service takes")
    func limits() async throws {
        try await TestService.run(pages: .open) { (service: TestService) async throws in
            for path in ["/", "/tracklist"] {
                let page = try await PageVisitor(service).send(.GET, path).text
                let told = page.firstMatch(of: /name="earshot-limits" content="upload=(\d+) tracklist=(\d+)"/)
                let limits = try #require(told).output
                #expect(Int(limits.1) != nil && Int(limits.2) != nil, "\(path)")
            }
        }
    }

    @Test("pages run no code that stands in them, and load nothing of others")
    func policy() async throws {
        try await TestService.run(pages: .open) { (service: TestService) async throws in
            for path in ["/", "/sign-in", "/start", "/history", "/pieces", "/device"] {
                let reply = try await service.ask(.GET, path)
                let policy = reply.headers.first(name: "Content-Security-Policy") ?? ""
                #expect(
                    reply.status == 200 && policy.contains("script-src 'self'") && !policy.contains("unsafe"),
                    "\(path)"
                )
                let text = String(decoding: reply.bytes, as: UTF8.self)
                #expect(!text.contains("<style") && !text.contains(" style=") && !text.contains("<script>"), "\(path)")
                #expect(!text.contains("{{") && text.contains("lang=\"en\""), "\(path)")
            }
        }
    }
}
