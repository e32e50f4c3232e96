import EarshotBroadcast
import EarshotCore
import EarshotMedia
import EarshotMusic
import EarshotRecognition
import EarshotSQLite
import EarshotSignatures
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import EarshotMonitor
@testable import SecondScreen

@Suite("The second screen")
@MainActor
struct SecondScreenTests {
    private static func match(_ title: String, position: Int? = nil) -> MonitorMatch {
        var match = MonitorMatch(title: title)
        match.adjustedPosition = position
        return match
    }

    private static func result(_ lookup: Int, at seconds: Int64 = 0, _ matches: [MonitorMatch]) -> MonitorResult {
        MonitorResult(
            lookup: lookup,
            matches: matches,
            trigger: .start,
            kind: .localOnly,
            source: .local,
            capturedAt: MediaTime(value: seconds, timescale: 1),
            capturedDate: Date(timeIntervalSince1970: 0)
        )
    }

    private static var film: MonitorMatch {
        var film = match("Film", position: 3_723_999)
        film.work = VideoWork(id: "film", title: Name("Film"), isPartial: true)
        return film
    }

    private static var broadcast: MonitorMatch {
        var broadcast = match("News", position: 61_000)
        broadcast.subtitle = "At nine"
        broadcast.airing = Airing(
            start: Date(timeIntervalSince1970: 0),
            end: Date(timeIntervalSince1970: 1_800),
            channel: BroadcastChannel(id: "one", name: Name("Channel One"), callSign: "ONE"),
            program: Program(id: "news", title: Name("News"))
        )
        return broadcast
    }

    private static var advert: MonitorMatch {
        var advert = match("An advert", position: 7_000)
        advert.customData = CustomData(identifier: "campaign-7", bytes: Data([1]))
        return advert
    }

    private static func status(_ kind: StatusEvent.Kind, _ value: Double = 0, at seconds: Int64) -> Screen.Event {
        .status(StatusEvent(kind, value: value, at: MediaTime(value: seconds, timescale: 1)))
    }

    @Test("What it prints", .requirements("R-ACR-091"))
    func golden() {
        var screen = Screen()
        var lines: [String] = []
        for event in [
            .microphone(.started(AudioConfiguration())), Self.status(.audioLevel, -20, at: 1),
            .result(Self.result(1, at: 0, [Self.advert, Self.broadcast, Self.film, Self.match("Bare")])),
            Self.status(.silent, -90, at: 70), Self.status(.silent, -90, at: 71), Self.status(.audible, -30, at: 72),
            Self.status(StatusEvent.Kind(rawValue: "somethingOfALaterVersion"), 3, at: 73),
            .result(Self.result(2, at: 75, [])), .result(Self.result(3, at: 90, [Self.broadcast])),
            .details(lookup: 3, .success(Details(program: Self.program, next: Self.next))),
            .details(lookup: 1, .success(Details(program: Self.program))), .microphone(.interrupted(.deviceLost)),
        ] as [Screen.Event] {
            lines += screen.apply(event)
        }
        let text = lines.joined(separator: "\n")
        #expect(
            text == """
                microphone: started: 44100 Hz, 1 ch, pcm16
                00:00:00  1. campaign-7  00:00:07
                00:00:00  2. News  At nine  ONE  00:01:01
                00:00:00  3. Film  01:02:03
                00:00:00  4. Bare
                00:01:10  it is silent
                00:01:12  sound again
                00:01:15  nothing that is known
                00:01:30  1. News  At nine  ONE  00:01:01
                    What happened today.
                    presenter: Ada
                    next on ONE: Weather
                microphone: interrupted: deviceLost
                """,
            "\(text)"
        )
    }

    private static var program: Program {
        var program = Program(id: "news", title: Name("News"))
        program.synopsis = Name("What happened today.")
        program.credits = [VideoCredit(.presenter, "Ada")]
        return program
    }

    private static var next: Airing {
        Airing(
            start: Date(timeIntervalSince1970: 1_800),
            end: Date(timeIntervalSince1970: 2_400),
            channel: BroadcastChannel(id: "one", name: Name("Channel One"), callSign: "ONE"),
            program: Program(id: "weather", title: Name("Weather"))
        )
    }

    /// Notes what it is asked, and answers when it is let.
    private final class Library: SecondaryQueries {
        private struct State {
            var asked: [String] = []
            var onMainThread = 0
        }

        private let state = Mutex(State())
        private let gate: AsyncStream<Void>
        private let door: AsyncStream<Void>.Continuation

        init() { (gate, door) = AsyncStream.makeStream(of: Void.self) }

        var asked: [String] { state.withLock { $0.asked } }
        var onMainThread: Int { state.withLock { $0.onMainThread } }

        /// Lets it answer all that is asked.
        func open() { door.finish() }

        private func note(_ what: String) async {
            let isMain = MainQueue.isCurrent
            state.withLock { state in
                state.asked.append(what)
                if isMain { state.onMainThread += 1 }
            }
            for await _ in gate {}
        }

        func work(_ work: VideoWork) async -> VideoWork? {
            await note("work \(work.id)")
            var whole = VideoWork(id: work.id, title: work.title, kind: .film)
            whole.duration = 5_400_000
            return whole
        }

        func program(_ program: Program) async -> Program? {
            await note("program \(program.id)")
            return nil
        }

        func next(on channel: BroadcastChannel, after date: Date) async -> Airing? {
            await note("next \(channel.id)")
            return nil
        }
    }

    @Test("Of three matches the first is kept, and is what is asked about", .requirements("R-ACR-092"))
    func firstMatch() async {
        let library = Library()
        library.open()
        var lines: [String] = []
        let app = SecondScreenApp(queries: library) { lines.append($0) }
        app.take(.result(Self.result(1, [Self.film, Self.broadcast, Self.advert])))
        #expect(app.screen.kept?.work?.id == "film")
        await app.settle()
        #expect(library.asked == ["work film"])
        #expect(lines.last == "    Film, film, 90 min")
        // The same again is not asked about, and nothing is kept of a result without matches.
        app.take(.result(Self.result(2, [Self.film])))
        app.take(.result(Self.result(3, [])))
        #expect(app.screen.kept == nil)
        await app.settle()
        #expect(library.asked == ["work film"])
    }

    @Test("The same film in another language is not asked about again", .requirements("R-MC-140"))
    func languages() async {
        let library = Library()
        library.open()
        let app = SecondScreenApp(queries: library) { _ in }
        var song = Self.match("Night")
        song.music = MusicMatch()
        song.music?.track.id = "song"
        for (lookup, match) in [Self.film, song].enumerated() {
            var translated = match
            translated.title = "夜"
            app.take(.result(Self.result(2 * lookup, [match])))
            app.take(.result(Self.result(2 * lookup + 1, [translated])))
            #expect(app.screen.since == 2 * lookup && app.screen.kept?.title == "夜")
            await app.settle()
        }
        #expect(library.asked == ["work film"])
        // Two things that nothing but their titles tells apart are two.
        app.take(.result(Self.result(8, [Self.match("Bare")])))
        app.take(.result(Self.result(9, [Self.match("Other")])))
        #expect(app.screen.since == 9)
    }

    @Test("A question in the background does not hold up the main thread", .requirements("R-ACR-181"))
    func background() async {
        let library = Library()
        var lines: [String] = []
        let app = SecondScreenApp(queries: library) { lines.append($0) }
        app.take(.result(Self.result(1, [Self.broadcast])))
        // The question is under way, and cannot end; the main thread takes events meanwhile.
        while library.asked.isEmpty { await Task.yield() }
        app.take(Self.status(.silent, -90, at: 5))
        #expect(lines.last == "00:00:05  it is silent")
        library.open()
        await app.settle()
        #expect(library.asked == ["program news", "next one"])
        #expect(library.onMainThread == 0)
    }

    @Test("Arguments that make no sense are refused with the usage")
    func arguments() throws {
        for words in [[], ["--file", "x"], ["--store"], ["--store", "s", "--fast"], ["--store", "s", "--pcm", "x"]] {
            let error = #expect(throws: EarshotError.self) { try Arguments(words) }
            #expect(error?.message.contains("usage") == true)
        }
        let arguments = try Arguments(["--store", "s", "--bundle", "a", "--bundle", "b", "--file", "f", "--fast"])
        #expect(arguments.bundles == ["a", "b"] && arguments.isFast)
    }

    @Test("It follows a recording with an advert and a film of a guide, as fast as it goes")
    func recording() async throws {
        try await withTemporaryFolder { folder in
            let (advert, film) = (SyntheticMusic(seed: 31, duration: 20), SyntheticMusic(seed: 32, duration: 40))
            let bundle = folder.appendingPathComponent("tv.earbundle")
            let header = try BundleHeader(id: "tv", version: 1, creationDate: Date(timeIntervalSince1970: 0))
            let writer = try BundleWriter(bundle, header: header)
            let data = CustomData(identifier: "campaign-7", bytes: Data([1]))
            try writer.add(BundleReference(id: "advert", signature: try advert.signature(), customData: data))
            let work = VideoWork(id: "film", title: Name("A film"), isPartial: true)
            try writer.add(BundleReference(id: "film", signature: try film.signature(), workID: "film"), work: work)
            _ = try writer.finish()
            let guide = folder.appendingPathComponent("guide.sqlite")
            var whole = VideoWork(id: "film", title: Name("A film"), kind: .film)
            whole.credits = [VideoCredit(.director, "Ada")]
            try await SQLiteGuideStore(url: guide).apply([.work(whole)])
            let sound = advert.samples(from: 4, seconds: 14) + film.samples(from: 10, seconds: 24)
            let recording = folder.appendingPathComponent("evening.wav")
            let file = try AudioFile(recording)
            let configuration = AudioConfiguration(sampleRate: 16_000)
            AudioBuffer(sound, sampleRate: 16_000).bytes(as: configuration).withUnsafeBytes {
                file.receive($0, as: configuration)
            }
            try file.finish()

            let store = folder.appendingPathComponent("store").path
            let words = [
                "--store", store, "--bundle", bundle.path, "--guide", guide.path, "--file", recording.path, "--fast",
            ]
            let outcome = try await Tool("SecondScreen").run(words)
            #expect(outcome.status == 0, "\(outcome.errors)")
            let lines = outcome.output.split(separator: "\n").map(String.init)
            #expect(lines.first == "00:00:00  listening: 16000 Hz, 1 ch, float32", "\(lines)")
            #expect(lines.contains("00:00:00  1. campaign-7  00:00:10"), "\(lines)")
            #expect(lines.contains { $0.contains("1. A film") }, "\(lines)")
            #expect(lines.filter { $0.hasPrefix("    ") } == ["    A film, film", "    director: Ada"], "\(lines)")
        }
    }
}
