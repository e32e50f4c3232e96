import EarshotAPI
import EarshotCatalogs
import EarshotCore
import EarshotSignatures
import EarshotTimedContent
import Foundation
import NIOHTTP1
import TestSupport
import Testing
@testable import EarshotRecognition

@testable import EarshotServer

@Suite("Timed content over HTTP")
struct TimedContentRouteTests {
    /// What a test looks at of the content of a reference.
    private struct Content: Decodable {
        struct Detail: Decodable, Equatable {
            let name, value: String
        }
        struct Chapter: Decodable {
            let begin, end: Double
            let title: String?
        }

        let id: String
        let duration: Double
        let title, artist, trackID, asset: String?
        let details: [Detail]
        let chapters: [Chapter]
        let timeline: Timeline?
        let warnings: [String]?
        let isEditable: Bool
    }

    private struct Page: Decodable {
        struct Summary: Decodable {
            let id: String
            let title: String?
            let entries, questions, chapters: Int
        }

        let references: [Summary]
        let total: Int
    }

    private static let lesson = """
        {"entries": [
          {"id": "hello", "title": "Welcome", "start": 2, "end": 8},
          {"id": "sum", "title": "How many?", "start": 10, "end": 20, "answerRange": [12, 20], "requiresAnswer": true,
           "payload": {"choices": ["4", "5"], "answer": "5"}},
          {"id": "red", "title": "Red", "start": 21, "end": 30, "lane": 1, "payload": {"picture": "data:image/png;base64,AAAA"}}
        ]}
        """

    private static func put(
        _ service: TestService,
        _ text: String,
        on id: String = "ref-4",
        token: String? = nil,
        type: String = "application/json"
    ) async throws -> TestService.Reply {
        try await service.ask(
            .PUT,
            "/v1/references/\(id)/content",
            token: token ?? service.admin,
            type: type,
            body: Data(text.utf8)
        )
    }

    private static func content(_ service: TestService, _ id: String, _ token: String) async throws -> Content {
        try await service.ask(.GET, "/v1/references/\(id)/content", token: token).decoded(Content.self)
    }

    private static func listed(_ service: TestService, _ token: String) async throws -> Page {
        try await service.ask(.GET, "/v1/timelines", token: token).decoded(Page.self)
    }

    @Test("content that the operator puts in is read by everybody, and the reference is found as before")
    func putting() async throws {
        try await TestService.run { (service: TestService) async throws in
            let token = try await service.token()
            let before = try await Self.content(service, "ref-4", token)
            #expect(before.timeline == nil && before.title == "Only an item" && !before.isEditable)
            #expect(try await Self.listed(service, token).total == 0)

            let reply = try await Self.put(service, Self.lesson)
            #expect(reply.status == 200)
            let told = try reply.decoded(Content.self)
            #expect(told.isEditable && told.warnings == [])
            let content = try await Self.content(service, "ref-4", token)
            #expect(content.timeline == (try Timeline(data: Data(Self.lesson.utf8))))
            #expect(content.artist == "Somebody" && abs(content.duration - 40) < 0.2)
            let page = try await Self.listed(service, token)
            #expect(page.references.map(\.id) == ["ref-4"] && page.total == 1)
            #expect(page.references.first?.entries == 3 && page.references.first?.questions == 1)
            #expect(try await service.recognize(4, token: token).matches.first?.placement?.reference == "ref-4")
            // A better copy of the recording keeps its content.
            let again = try await service.ask(
                .PUT,
                "/v1/references/ref-4?title=Anew",
                token: service.admin,
                type: ServiceAPI.signatureType,
                body: try TestMusic.whole(4).data
            )
            #expect(again.status == 200)
            let kept = try await Self.content(service, "ref-4", token)
            #expect(kept.title == "Anew" && kept.timeline == content.timeline)

            let path = "/v1/references/ref-4/content"
            #expect(try await service.ask(.DELETE, path, token: service.admin).status == 204)
            #expect(try await Self.content(service, "ref-4", token).timeline == nil)
            #expect(try await Self.listed(service, token).total == 0)
        }
    }

    @Test("a reference of a track has its names and leads to its lyrics")
    func track() async throws {
        try await TestService.run { (service: TestService) async throws in
            let content = try await Self.content(service, "ref-1", try await service.token())
            #expect(content.trackID == "lantern" && content.artist == "The Tin Foxes")
        }
    }

    @Test("lyrics and tables are taken as text, and media items that are limited to times are chapters")
    func forms() async throws {
        try await TestService.run { (service: TestService) async throws in
            let lyrics = try await Self.put(service, "[00:01.00]one\n[00:03.50]two\n", type: "text/plain")
            #expect(lyrics.status == 200)
            #expect(try lyrics.decoded(Content.self).timeline?.entries.map(\.title) == ["one", "two"])
            let table = try await Self.put(service, "start,title\n1,first\n0:02,second\n", type: "text/csv")
            #expect(try table.decoded(Content.self).timeline?.entries.count == 2)

            var catalog = Catalog()
            let parts = try [(0.0, 10.0, "Begin"), (10, 40, "Rest")].map { begin, end, title in
                try MediaItem(properties: [
                    .title: .string(title), .timeRanges: .array([.array([.real(begin), .real(end)])]),
                ])
            }
            let whole = try MediaItem(properties: [.title: "Lesson", "episode": 3, "teacher": "Ada"])
            try catalog.add(try TestMusic.whole(7), representing: [whole] + parts, id: "lesson")
            let queue = WorkQueue(width: 1, limit: 1)
            let summary = try #require(
                try await TimedContentIndex(CatalogProvider(catalog)).reference("lesson", on: queue),
                "the reference is not there"
            )
            let content = try ReferenceContent(summary, music: MusicMatch())
            #expect(content.chapters.map(\.title) == ["Begin", "Rest"] && content.chapters.last?.begin == 10)
            #expect(content.title == "Lesson")
            #expect(content.details.map { "\($0.name) \($0.value)" } == ["episode 3", "teacher Ada"])
            let listed = try await TimedContentIndex(CatalogProvider(catalog)).references(on: queue)
            #expect(listed.map(\.chapters) == [2])
        }
    }

    @Test(
        "what pages cannot show is refused, and names the entry",
        arguments: [
            #"{"entries": [{"id": "a", "start": 5, "end": 4}]}"#,
            #"{"entries": [{"id": "a", "start": 5, "requiresAnswer": true}]}"#,
            #"{"entries": [{"id": "a", "start": 5, "payload": {"picture": "https://example.com/a.png"}}]}"#,
            #"{"entries": [{"id": "a", "start": 5, "payload": {"picture": "//example.com/a.png"}}]}"#,
            #"{"entries": [{"id": "a", "start": 5, "payload": {"picture": "/\\example.com/a.png"}}]}"#,
            #"{"entries": [{"id": "a", "start": 5, "payload": {"picture": "javascript:alert(1)"}}]}"#,
            #"{"entries": [{"id": "a", "start": 5, "payload": {"picture": "data:image/svg+xml;base64,AAAA"}}]}"#,
            #"{"entries": [{"id": "a", "start": 5, "payload": {"choices": ["x"]}}]}"#,
            #"{"entries": [{"id": "a", "start": 5, "payload": {"choices": ["x", "y"], "answer": "z"}}]}"#,
            #"{"entries": [{"id": "a", "start": 5, "payload": {"choices": ["x", "y"], "answer": ["x", "y"]}}]}"#,
            "no content",
        ]
    )
    func refusals(text: String) async throws {
        try await TestService.run { (service: TestService) async throws in
            let reply = try await Self.put(service, text)
            #expect(reply.status == 400 && reply.code == "timelineInvalid")
            if text != "no content" { #expect(String(decoding: reply.bytes, as: UTF8.self).contains("\\\"a\\\"")) }
            #expect(try await Self.content(service, "ref-4", service.admin).timeline == nil)
        }
    }

    @Test("content of too many bytes, of another type or of no reference is refused")
    func limits() async throws {
        var settings = ServiceSettings()
        settings.documentLimit = 1_000
        try await TestService.run(settings) { (service: TestService) async throws in
            #expect(try await Self.put(service, String(repeating: " ", count: 1_001)).status == 413)
            #expect(try await Self.put(service, Self.lesson, type: "application/xml").status == 415)
            let missing = try await Self.put(service, #"{"entries": []}"#, on: "none")
            #expect(missing.status == 404 && missing.code == "referenceNotFound")
            #expect(try await service.ask(.GET, "/v1/references/none/content", token: service.admin).status == 404)
        }
    }

    @Test("content is changed by those who may change the reference")
    func rights() async throws {
        try await TestService.run { (service: TestService) async throws in
            #expect(try await Self.put(service, Self.lesson, token: try await service.token()).status == 403)
            var change = ClientChange()
            change.mayChangeReferences = true
            let (maker, other) = (try await service.token(change), try await service.token(change))
            let made = try await service.ask(
                .PUT,
                "/v1/references/own",
                token: maker,
                type: ServiceAPI.signatureType,
                body: try TestMusic.whole(8).data
            )
            #expect(made.status == 201)
            #expect(try await Self.put(service, Self.lesson, on: "own", token: other).status == 403)
            #expect(try await Self.put(service, Self.lesson, on: "own", token: maker).status == 200)
        }
    }
}
