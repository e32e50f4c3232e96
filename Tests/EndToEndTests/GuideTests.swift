import Earshot
import Foundation
import Synchronization
import TestSupport
import Testing

/// The code that the guide prints is the code of `Guides/`, which is compiled with the tests and run here.
@Suite("The guide")
struct GuideTests {
    static let guides = ["FirstCatalog", "ListeningLive", "CompanionApp", "MovingFromShazamKit"]
    static let modules = [
        "Earshot", "EarshotCore", "EarshotMedia", "EarshotSignatures", "EarshotCatalogs", "EarshotSessions",
    ]

    @Test("Every example in the guide is compiled as it is printed", .requirements("R-CC-108"), arguments: guides)
    func examples(guide: String) throws {
        try compare(GuideArticle(guide: guide))
    }

    @Test("So is every example on the first pages of the package and its modules", arguments: Self.modules + [nil])
    func pages(module: String?) throws {
        try compare(try module.map { try GuideArticle(module: $0) } ?? GuideArticle("README.md"))
    }

    /// Looks for the code of a page in what is compiled.
    private func compare(_ article: GuideArticle) throws {
        let folder = packageFolder.appendingPathComponent("Tests/EndToEndTests/Guides")
        let files = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        let compiled = try files.filter { $0.lastPathComponent.hasSuffix("Snippets.swift") }.map { url in
            try String(contentsOf: url, encoding: .utf8)
                .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        }
        let blocks = article.code
        #expect(!blocks.isEmpty)
        for block in blocks {
            #expect(
                compiled.contains { $0.holds(block) },
                "not in Tests/EndToEndTests/Guides as it is printed: \(block.joined(separator: "\n"))"
            )
        }
    }

    @Test("The guide has its four chapters, each with examples", .requirements("R-CC-108"))
    func chapters() throws {
        let chapters = try Self.guides.flatMap { try GuideArticle(guide: $0).chapters }
        for chapter in ["Building", "Matching", "Synchronising", "Good practice"] {
            #expect(chapters.contains(chapter))
        }
    }

    @Test("Building and matching: the examples do what the guide says", .requirements("R-CC-108"))
    func firstCatalog() async throws {
        let workshop = try await Workshop.shared()
        try await withTemporaryFolder { folder in
            let songs = ["music/inner folder/warm ink 日本.wav", "music/win.wav"].map {
                workshop.folder.appendingPathComponent($0)
            }
            var shown: [String] = []
            let file = folder.appendingPathComponent("music.earcat")
            let catalog = try await FirstCatalogSnippets.tenLines(songs, workshop.clip, file) { shown.append($0) }
            #expect(shown == ["warm ink 日本 at 00:12"] || shown == ["warm ink 日本 at 00:11"])
            #expect(try Catalog(contentsOf: file).count == 2)

            shown = []
            let whole = try await SignatureGenerator.signature(from: AssetReader(songs[0]))
            let query = whole.slice(from: .zero, duration: MediaTime(value: 8, timescale: 1)).signature
            try FirstCatalogSnippets.match(query, in: catalog) { shown.append($0) }
            #expect(shown.first?.hasPrefix("\(catalog.referenceIDs[0]) from 00:00, confidence ") == true)
            shown = []
            try FirstCatalogSnippets.match(try SyntheticMusic(seed: 7, duration: 5).signature(), in: catalog) {
                shown.append($0)
            }
            #expect(shown == ["Nothing matched."])
            shown = []
            try FirstCatalogSnippets.plays(whole, in: catalog) { shown.append($0) }
            #expect(shown.count == 1)

            let (item, items) = try FirstCatalogSnippets.items(whole)
            #expect(try items.reference("lessons/3")?.items == [item])
            let place = try #require(try FirstCatalogSnippets.ranges(whole).match(query))
            #expect(place.mediaItems.map(\.title) == ["Prologue", "The play"])

            shown = []
            let address = folder.appendingPathComponent("music.earstore")
            let store = try FirstCatalogSnippets.store(whole, item, in: address) { shown.append($0) }
            #expect(shown.isEmpty)
            #expect(store.catalog.referenceIDs == ["lessons/3"])
        }
    }

    @Test("Listening: events, results, the receiver and another catalog", .requirements("R-CC-108"))
    func listening() async throws {
        let catalog = try GuideSound.catalog()
        var sound = GuideSound()
        sound.play(from: 5, seconds: 6)
        sound.silence(6)
        var shown: [String] = []
        try await ListeningSnippets.events(of: ListeningSnippets.filtered(catalog), hearing: sound) { shown.append($0) }
        #expect(shown.count == 2)
        #expect(shown.first?.hasPrefix("Lesson at ") == true && shown.first?.hasSuffix("appeared") == true)
        #expect(shown.last == "lesson is heard no longer")

        shown = []
        sound = GuideSound(gap: MediaTime(value: 1, timescale: 1))
        sound.silence(1)
        try await ListeningSnippets.events(of: ListeningSnippets.session(Catalog()), hearing: sound) {
            shown.append($0)
        }
        #expect(shown.count == 1 && shown[0].hasPrefix("audioDiscontinuity: "))

        let session = ListeningSnippets.session(Catalog())
        try withTemporaryFolder { folder in
            let file = try catalog.write(to: folder.appendingPathComponent("more.earcat"))
            try ListeningSnippets.replace(in: session, by: file)
        }
        #expect(session.catalog.count == 1)
        let heard = Mutex<[String]>([])
        let listener = ListeningSnippets.receiver(of: session) { line in heard.withLock { $0.append(line) } }
        let samples = GuideSound.piece.samples(from: 5, seconds: 5, sampleRate: 48_000)
        let results = ListeningSnippets.push(samples, at: .zero, to: session)
        session.finish()
        shown = []
        await ListeningSnippets.results(results) { shown.append($0) }
        #expect(shown == ["Lesson"])
        #expect(heard.withLock { $0 } == ["Lesson"])
        withExtendedLifetime(listener) {}
    }

    @Test("Listening: positions and one question", .requirements("R-CC-108"))
    func positions() async throws {
        let catalog = try GuideSound.catalog()
        let clock = ManualClock()
        var sound = GuideSound(clock: clock)
        sound.play(from: 5, seconds: 6)
        let session = MatchSession(catalog: catalog, options: .init(clock: clock.clock))
        var item: MatchedMediaItem?
        for try await event in session.events(from: sound) {
            if case .matched(let match, _) = event { item = match.mediaItems.first }
        }
        let found = try #require(item)
        var shown: [String] = []
        ListeningSnippets.position(found) { shown.append($0) }
        clock.advance(by: 12)
        ListeningSnippets.position(found) { shown.append($0) }
        clock.advance(by: 60)
        ListeningSnippets.position(found) { shown.append($0) }
        #expect(shown.count == 3 && shown[0].hasPrefix("now 00:1") && shown[1].hasPrefix("last known 00:2"))
        #expect(shown.last == "over")
        // The minute that the example waits for has gone by.
        let waited = Mutex(false)
        try await ListeningSnippets.chorus(found) { _ in waited.withLock { $0 = true } }
        #expect(waited.withLock { $0 })

        sound.clock = nil
        let once = ManagedSession(catalog: catalog) { [sound] in sound }
        shown = []
        await ListeningSnippets.question(once) { shown.append($0) }
        #expect(shown == ["Lesson"])
    }

    @Test("Synchronising: the content that is printed appears in step, through a jump", .requirements("R-CC-108"))
    func companion() async throws {
        let article = try GuideArticle(guide: "CompanionApp")
        let document = try #require(article.blocks(of: "json").first).joined(separator: "\n")
        try await withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("lesson.json")
            try Data(document.utf8).write(to: file)
            let recording = folder.appendingPathComponent("lesson.wav")
            try Recordings.wave(GuideSound.piece.samples(sampleRate: GuideSound.rate)).write(to: recording)
            let bundled = folder.appendingPathComponent("bundled.earcat")
            var shown: [String] = []
            let content = try await CompanionSnippets.lesson(file, recording, bundled) { shown.append($0) }
            #expect(shown.isEmpty)
            let catalog = try CompanionSnippets.merged(bundled, [bundled]) { shown.append($0) }
            #expect(shown == ["0 added, 1 there already"])

            // The greeting, the question with its answer, and back to the greeting.
            let clock = ManualClock()
            var sound = GuideSound(clock: clock)
            sound.play(from: 3, seconds: 15)
            sound.play(from: 4.5, seconds: 4)
            let session = MatchSession(catalog: catalog, options: .init(clock: clock.clock))
            var screens: [String] = []
            try await CompanionSnippets.follow(sound, by: session) { screen in
                let parts = screen.parts.map { $0.title ?? "" }.joined(separator: " ")
                let line = "\(screen.question?.id ?? "-") \(parts)\(screen.takesAnswers ? "?" : "")"
                if screens.last != line { screens.append(line) }
            }
            #expect(
                screens == [
                    "- ", "hello ", "- ", "sum ", "sum 2", "sum 2 + 3", "sum 2 + 3?", "sum 2 + 3", "- ", "hello ",
                ]
            )
            for try await event in CompanionSnippets.announced(content, GuideSound(), by: session) {
                Issue.record("nothing is heard, and nothing happens: \(event)")
            }
        }
    }

    @Test("Good practice: answers count where playback is, and a line explains a match", .requirements("R-CC-108"))
    func answers() async throws {
        let clock = ManualClock()
        var sound = GuideSound(clock: clock)
        sound.play(from: 12, seconds: 6)
        let session = MatchSession(catalog: try GuideSound.catalog(), options: .init(clock: clock.clock))
        var found: Match?
        for try await event in session.events(from: sound) {
            guard case .matched(let match, let changes) = event else { continue }
            found = match
            #expect(line(for: match, changes).contains("lesson at "))
        }
        let position = try #require(found?.mediaItems.first).position
        let seconds = { (value: Int64) in MediaTime(value: value, timescale: 1) }
        let question = TimedEntry(
            id: "sum",
            title: "",
            start: seconds(12),
            answerRange: seconds(16)..<seconds(21),
            payload: ["answer": "5"]
        )
        #expect(isRight("5", to: question, at: position) == true)
        #expect(isRight("4", to: question, at: position) == false)
        clock.advance(by: 4)
        #expect(isRight("5", to: question, at: position) == nil)
    }

    @Test("Moving: the examples run, and the tables name what there is", .requirements("R-CC-108"))
    func moving() async throws {
        let workshop = try await Workshop.shared()
        try await withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("sirius.earcat")
            try await MovingSnippets.catalog(of: workshop.folder.appendingPathComponent("music/win.wav"), file)
            #expect(try Catalog(contentsOf: file).count == 1)
        }
        let shown = Mutex<[String?]>([])
        let recognizer = Recognizer(catalog: try GuideSound.catalog()) { title in shown.withLock { $0.append(title) } }
        let end = recognizer.session.events
        recognizer.take(GuideSound.piece.buffer(from: 5, seconds: 5), at: .zero)
        recognizer.session.finish()
        for await _ in end {}
        #expect(shown.withLock { $0 } == ["Lesson"])

        let codes = Set(EarshotError.Code.all.map(\.rawValue))
        let rows = try GuideArticle(guide: "MovingFromShazamKit").rows
        let errors = rows.filter { $0.count == 2 && $0[1].count == 1 }.filter {
            $0[0].first?.first?.isLowercase == true
        }
        let named = errors.flatMap { $0[1] }.filter { !$0.hasPrefix("isrc") && !$0.hasPrefix("serviceID") }
        #expect(named.count == 8)
        #expect(named.allSatisfy(codes.contains))
    }
}
