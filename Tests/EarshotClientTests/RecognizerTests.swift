import EarshotCatalogs
import EarshotClient
import EarshotCore
import EarshotMusic
import EarshotRecognition
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Recognizer

@Suite("The example app")
@MainActor
struct RecognizerTests {
    private typealias Screen = Recognizer.Screen

    private func screen(_ events: [Screen.Event], language: String = "en") -> Screen {
        var screen = Screen(language: language)
        for event in events { screen.apply(event) }
        return screen
    }

    private func status(_ kind: OperationKind, _ phase: OperationPhase, _ percent: Int? = nil) throws -> OperationStatus
    {
        struct Wire: Encodable {
            let phase: OperationPhase
            let percent: Int?
            let message = ""
        }
        let data = try JSONEncoder().encode(Wire(phase: phase, percent: percent))
        return try JSONDecoder().decode(OperationStatus.self, from: data)
    }

    private func failure(_ code: EarshotError.Code, _ message: String = "Technical words.") -> Screen.Event {
        .finished(.failure(EarshotError(code, message)))
    }

    @Test(
        "A bar goes with the recording, beside how the device is to be held",
        .requirements("R-MC-240", "R-MC-246", "R-MC-248", "R-MC-241")
    )
    func recording() throws {
        var screen = screen([.began(.microphone)])
        #expect(screen.lines.joined().contains("Hold the device"))
        for tenth in 1...10 {
            screen.apply(.status(try status(.streamFromMicrophone, .recording, tenth * 10)))
            #expect(screen.lines[0].filter { $0 == "█" }.count == tenth)
            #expect(screen.lines.joined().contains("Hold the device"))
            // Waves that come to the device.
            #expect(screen.lines.joined().contains(")))  [device]"))
        }
        #expect(screen.tones == 1)
    }

    @Test("Something moves while the service is asked, in each operation", .requirements("R-MC-242"))
    func asking() throws {
        for job in Screen.Job.allCases {
            var screen = screen([.began(job), .status(try status(.textSearch, .querying))])
            let first = screen.lines
            screen.apply(.tick)
            #expect(screen.lines != first && first[0].contains("asking the service"), "\(job)")
        }
    }

    @Test(
        "Canceling is shown until it has happened, and late news change nothing",
        .requirements("R-MC-047", "R-MC-048", "R-MC-049")
    )
    func cancelling() throws {
        var screen = screen([
            .began(.microphone), .status(try status(.streamFromMicrophone, .recording, 30)), .cancelled,
        ])
        #expect(screen.lines == ["Microphone: Canceling…"] && !screen.canRecord)
        screen.apply(.status(try status(.streamFromMicrophone, .recording, 40)))
        #expect(screen.lines == ["Microphone: Canceling…"] && screen.status?.percent == 30)
        screen.apply(failure(.cancelled))
        #expect(!screen.lines.joined().contains("Canceling") && screen.canRecord)
    }

    @Test(
        "While a recording is being canceled no other one begins",
        .requirements("R-MC-048", "R-MC-049")
    )
    func secondRecording() async throws {
        let (barrier, opened) = (Barrier(), Collector<Int>())
        let microphone = TestSource.microphone { number in
            // A block that does not come before the test lets it.
            if number == 5 { await barrier.pass() }
        }
        let app = RecognizerApp(
            service: FakeService(),
            configuration: try ClientConfiguration(clientIdentifier: ServiceServer.identifier),
            microphone: {
                opened.add(1)
                return try await microphone()
            }
        ) { _ in }
        let first = Task { await app.find(.microphone, as: .microphone) }
        await barrier.arrivals(1)
        app.cancel()
        #expect(app.screen.lines == ["Microphone: Canceling…"])
        let second = await app.find(.microphone, as: .microphone)
        #expect(second == nil && opened.all.count == 1)
        #expect(app.screen.lines == ["Microphone: Canceling…"] && app.screen.failure == nil)
        barrier.open()
        let canceled = await first.value
        #expect(canceled == nil && app.screen.failure?.code == .cancelled && app.screen.canRecord)
        let third = await app.find(.microphone, as: .microphone)
        #expect(third?.best?.track.id == "t1" && opened.all.count == 2)
    }

    @Test(
        "Users are told by the kind of a failure, never by its message",
        .requirements("R-MC-206", "R-MC-207", "R-MC-209", "R-MC-255")
    )
    func texts() {
        for code in EarshotError.Code.all {
            for language in FailureKind.languages {
                for job in Screen.Job.allCases {
                    let events: [Screen.Event] = [.began(job), failure(code), .reported]
                    let lines = screen(events, language: language).lines
                    #expect(lines.first == FailureKind(code).text(language: language))
                    #expect(!lines.joined().contains("Technical"))
                    let others: [Screen.Event] = [.began(job), failure(code, "Other words."), .reported]
                    #expect(lines == screen(others, language: language).lines)
                }
            }
        }
        #expect(screen([.began(.text), failure(.serviceFailure)]).lines.joined().contains("connection"))
    }

    @Test("A retry is offered, and a report holds code and message", .requirements("R-MC-208", "R-MC-210"))
    func report() {
        var screen = screen([.began(.text), failure(.malformedResponse)])
        #expect(screen.offersRetry && screen.lines.contains("[r] try again"))
        #expect(screen.report == nil)
        screen.apply(.reported)
        #expect(screen.report?.code == "malformedResponse" && screen.report?.message == "Technical words.")
    }

    @Test("Another try makes the same request again", .requirements("R-MC-208"))
    func again() async throws {
        let isDamaged = Mutex(true)
        let service = FakeService { _, _ throws(EarshotError) in
            if isDamaged.withLock({ $0 }) { throw EarshotError(.malformedResponse, "Technical words.") }
            return [MusicMatch("t1")]
        }
        let app = RecognizerApp(
            service: service,
            configuration: try ClientConfiguration(clientIdentifier: ServiceServer.identifier),
            microphone: nil
        ) { _ in }
        let query = MusicQuery(artist: "tin foxes", track: "lantern")
        await app.find(.text(query), as: .text)
        #expect(app.screen.keys.contains(.again) && service.calls == [.text(query)])
        isDamaged.withLock { $0 = false }
        await app.findAgain()
        #expect(app.screen.result?.best?.track.id == "t1" && service.calls == [.text(query), .text(query)])
        // Of what was found no other try is offered.
        let more = await app.findAgain()
        #expect(more == nil && service.calls.count == 2)
    }

    @Test(
        "Where nothing was found there is a hint, another one each time, and one for what was sought",
        .requirements("R-MC-243", "R-MC-244", "R-MC-245")
    )
    func hints() {
        var screen = Screen()
        var tips: [HelpHints.Tip?] = []
        for _ in HelpHints.Tip.allCases {
            screen.apply(.began(.microphone))
            screen.apply(.finished(.success(SearchResult())))
            tips.append(screen.tip)
            #expect(screen.lines.joined().contains("Try again") && screen.lines.joined().contains("Hold the device"))
        }
        #expect(Set(tips).count == HelpHints.Tip.allCases.count)
        screen.apply(.sought(.humming))
        #expect(screen.lines.joined().contains("published recordings"))
    }

    @Test(
        "The line at the top names the operation and how much was found; titles come before covers",
        .requirements("R-MC-253", "R-MC-186")
    )
    func statusLine() {
        var match = MusicMatch()
        (match.artist.name, match.track.title) = ("The Tin Foxes", "Lantern")
        var screen = screen([.began(.samples), .finished(.success(SearchResult([match])))])
        #expect(screen.lines == ["Stored samples: 1 match", "  1  The Tin Foxes — Lantern"])
        screen.apply(.cover(0, bytes: 3, mimeType: "image/png"))
        #expect(screen.lines.count == 3)
    }

    @Test(
        "The app goes through every class of operation",
        .requirements("R-MC-251", "R-MC-227", "R-MC-077", "R-MC-260")
    )
    func operations() async throws {
        let service = try await TestMusic.shared.value.service
        var screens: [Screen] = []
        let app = RecognizerApp(
            service: service,
            configuration: try ClientConfiguration(clientIdentifier: ServiceServer.identifier),
            microphone: TestSource.microphone()
        ) { screens.append($0) }
        await app.find(.microphone, as: .microphone)
        let fingerprint = try #require(await app.fingerprint(try TestMusic.samples()))
        await app.find(.fingerprint(fingerprint), as: .fingerprint)
        await app.find(.stream(try TestMusic.samples(2)), as: .samples)
        await app.find(.file(URL(fileURLWithPath: "/nowhere/x.mp3")), as: .file)
        #expect(app.screen.lines.first == FailureKind.fileAccessDenied.text())
        await app.find(.text(MusicQuery(track: "lantern")), as: .text)
        await app.find(.lyrics(LyricQuery("lantern")), as: .lyrics)
        await app.find(.track("t1"), as: .track)
        #expect(app.screen.result?.best?.track.id == "t1")
        await app.showHistory()
        #expect(app.screen.lines.first == "History: 3 matches")
        #expect(screens.contains { $0.status?.phase == .recording })
    }

    @Test("Without a microphone the app says so", .requirements("R-MC-252"))
    func noMicrophone() async throws {
        let app = RecognizerApp(
            service: FakeService(),
            configuration: try ClientConfiguration(clientIdentifier: ServiceServer.identifier),
            microphone: nil
        ) { _ in }
        #expect(!app.client.hasMicrophone)
        await app.find(.microphone, as: .microphone)
        #expect(app.screen.lines.first == FailureKind.microphoneUnavailable.text())
    }

    @Test("A picture is loaded off the main thread, which goes on meanwhile", .requirements("R-MC-029", "R-MC-186"))
    func slowPicture() async throws {
        var match = MusicMatch("t1")
        match.album.coverArt = ContentImage(url: "slow", size: .small)
        let (gate, places) = (Barrier(), Collector<Bool>())
        let service = FakeService(
            { [match] _, _ throws(EarshotError) in [match] },
            content: { _ throws(EarshotError) in
                // What a slow disk or a decoder would hold up is the thread that this runs on.
                places.add(MainQueue.isCurrent)
                await gate.pass()
                places.add(MainQueue.isCurrent)
                return ContentAnswer(status: 200, mimeType: "image/png", bytes: Data([1, 2, 3]))
            }
        )
        let app = RecognizerApp(
            service: service,
            configuration: try ClientConfiguration(clientIdentifier: ServiceServer.identifier),
            microphone: nil
        ) { _ in }
        let finding = Task { await app.find(.track("t1"), as: .track) }
        await gate.arrivals(1)
        var ticks = 0
        for _ in 0..<50 {
            try await Task.sleep(for: .milliseconds(2))
            #expect(MainQueue.isCurrent)
            app.tell(.tick)
            ticks += 1
        }
        // The title is there, the picture is still on its way.
        #expect(ticks == 50 && app.screen.result?.best?.track.id == "t1" && app.screen.covers.isEmpty)
        #expect(app.screen.lines == ["Track: 1 match", "  1  Track t1"])
        gate.open()
        _ = await finding.value
        #expect(app.screen.covers == [0: "image/png, 3 bytes"])
        #expect(places.all == [false, false])
    }

    @Test(
        "A hundred files are recognized, and no more than five are pending, queued or running, at any time",
        .requirements("R-MC-249", "R-MC-027", "R-MC-215", "R-MC-216")
    )
    func files() async throws {
        let (gate, barrier, pending) = (RequestLimiter(), Barrier(), Collector<Int>())
        let service = FakeService { _, _ throws(EarshotError) in
            // Who runs has a place in the gate, and who waits inside the client has one too.
            pending.add(gate.count)
            await barrier.pass()
            return [MusicMatch("t1")]
        }
        let app = RecognizerApp(
            service: service,
            configuration: try ClientConfiguration(clientIdentifier: ServiceServer.identifier),
            microphone: nil
        ) { _ in }
        let fixture = packageFolder.appendingPathComponent("Tests/EarshotMediaTests/Fixtures/long.ogg")
        let finding = Task { await app.find(files: [URL](repeating: fixture, count: 100), gate: gate) }
        await barrier.arrivals(5)
        #expect(service.running == 5 && gate.count == 5)
        // The first that is answered makes room for the sixth.
        barrier.openOnce()
        await barrier.arrivals(6)
        #expect(service.running == 5 && gate.count == 5)
        barrier.open()
        let results = await finding.value
        #expect(service.calls.count == 100 && app.matchedFiles == 100)
        #expect(results.count == 15 && results.allSatisfy { $0.result?.best != nil })
        #expect(pending.all.count == 100 && pending.all.allSatisfy { (1...5).contains($0) })
        #expect(service.mostRunning == 5 && gate.count == 0)
    }

    @Test("Of a thousand files the results of three pages are kept", .requirements("R-MC-223", "R-MC-225"))
    func thousandFiles() async throws {
        // Every third file is unknown, and those between are shown, each once.
        let count = Mutex(0)
        let service = FakeService { _, _ throws(EarshotError) in
            let number = count.withLock { count in
                count += 1
                return count
            }
            return number.isMultiple(of: 3) ? [] : [MusicMatch("t\(number)")]
        }
        var (pages, shown): ([Int], Int) = ([], 0)
        var mostKept = 0
        weak var reference: RecognizerApp?
        let app = RecognizerApp(
            service: service,
            configuration: try ClientConfiguration(clientIdentifier: ServiceServer.identifier),
            microphone: nil
        ) { screen in
            mostKept = max(mostKept, reference?.recent.count ?? 0)
            guard let result = screen.result else { return }
            pages.append(result.matches.count)
            shown += result.matches.count
        }
        reference = app
        // One file a thousand times is recognized a thousand times.
        let fixture = packageFolder.appendingPathComponent("Tests/EarshotMediaTests/Fixtures/long.flac")
        _ = await app.find(files: [URL](repeating: fixture, count: 1_003))
        #expect(app.matchedFiles == 669 && shown == 669)
        #expect(pages.count == 201 && pages.allSatisfy { $0 <= ResultPager.pageSize })
        #expect(mostKept == 15)
        #expect(app.recent.count == 13)
    }
}
