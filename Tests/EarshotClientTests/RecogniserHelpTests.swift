import EarshotClient
import EarshotCore
import EarshotRecognition
import Foundation
import TestSupport
import Testing

@testable import Recognizer

@Suite("Help in the example app")
@MainActor
struct RecogniserHelpTests {
    private typealias Screen = Recognizer.Screen

    private static func status(_ phase: String, percent: Int? = nil) throws -> Screen.Event {
        struct Wire: Encodable {
            let phase: String
            let percent: Int?
            let message = ""
        }
        let data = try JSONEncoder().encode(Wire(phase: phase, percent: percent))
        return .status(try JSONDecoder().decode(OperationStatus.self, from: data))
    }

    /// Every screen that there is: each job before it begins, in each phase, while it is canceled, and at each end.
    private static func screens() throws -> [Screen] {
        let ends: [[Screen.Event]] =
            [
                [.finished(.success(SearchResult()))],
                [.finished(.success(SearchResult([MusicMatch("a"), MusicMatch("b")]))), .group(.album)],
                [.finished(.success(SearchResult([MusicMatch("a")]))), .cover(0, bytes: 3, mimeType: "image/png")],
            ]
            + EarshotError.Code.all.map { [.finished(.failure(EarshotError($0, "Words."))), .reported] }
        let states: [[Screen.Event]] =
            [
                [], [.cancelled], [try status("recording", percent: 30)], [try status("fingerprinting")],
                [try status("querying")], [try status("done")],
            ] + ends
        return [Screen()]
            + Screen.Job.allCases.flatMap { job in
                states.map { events in
                    var screen = Screen()
                    for event in [.began(job)] + events { screen.apply(event) }
                    return screen
                }
            }
    }

    /// How many keys have to be pressed, only those that the screen shows, until a page of help is open.
    private static func taps(from screen: Screen, to page: Help.Page) -> Int? {
        var reached = [screen]
        for taps in 0...3 {
            if reached.contains(where: { $0.help?.page == page }) { return taps }
            reached = reached.flatMap { screen in
                screen.keys.filter { screen.keyLine.contains("[\($0.rawValue)]") }.map { key in
                    var next = screen
                    next.apply(.pressed(key))
                    return next
                }
            }
        }
        return nil
    }

    @Test("Pictograms and a demonstration are two keys away at most, from every screen", .requirements("R-MC-247"))
    func reach() throws {
        let screens = try Self.screens()
        #expect(screens.count > 300)
        for screen in screens {
            for page in [Help.Page.pictograms, .demonstration] {
                let taps = Self.taps(from: screen, to: page)
                #expect((1...2).contains(taps ?? 9), "\(page): \(screen.lines)")
                var open = screen
                open.apply(.pressed(page == .pictograms ? .help : .demonstration))
                #expect(open.lines == open.help?.lines && open.lines != screen.lines)
                // From one page to the other, and back to where it was opened.
                #expect(Self.taps(from: open, to: page == .pictograms ? .demonstration : .pictograms) == 1)
                open.apply(.pressed(.back))
                #expect(open.lines == screen.lines && open.keys == screen.keys)
            }
        }
    }

    @Test("Each tip has a pictogram of its own, and the demonstration goes from the music to its title")
    func pages() {
        let pictograms = HelpHints.Tip.allCases.map(Help.pictogram)
        #expect(Set(pictograms).count == pictograms.count && pictograms.allSatisfy { $0.count == 10 })
        let lines = Help(.pictograms).lines.joined(separator: "\n")
        for tip in HelpHints.Tip.allCases { #expect(lines.contains(Help.pictogram(tip)) && lines.contains(tip.text)) }
        var help = Help(.demonstration)
        let first = help.lines
        var seen = [first]
        repeat {
            help.goOn()
            seen.append(help.lines)
        } while help.lines != first && seen.count < 20
        #expect(Set(seen).count == seen.count - 1 && seen.count > 5)
        #expect(seen.dropLast().last?.joined().contains("Title") == true)
    }

    @Test("What happens behind help is not lost", .requirements("R-MC-247"))
    func behind() throws {
        var screen = Screen()
        screen.apply(.began(.microphone))
        screen.apply(.pressed(.help))
        screen.apply(try Self.status("recording", percent: 40))
        #expect(screen.lines.first?.contains("█") == false)
        screen.apply(.finished(.success(SearchResult([MusicMatch("a")]))))
        // The next operation does not close it either.
        screen.apply(.began(.text))
        #expect(screen.help?.page == .pictograms)
        screen.apply(.finished(.success(SearchResult([MusicMatch("b")]))))
        screen.apply(.pressed(.back))
        #expect(screen.lines.first == "Text search: 1 match")
    }

    @Test("A key that the screen does not show does nothing")
    func otherKeys() {
        var screen = Screen()
        for key in [Screen.Key.back, .group, .again, .end] {
            screen.apply(.pressed(key))
            #expect(screen.help == nil && screen.grouping == nil)
        }
    }

    @Test("The app moves the demonstration on while it is open")
    func moving() async throws {
        let steps = Collector<Int>()
        let app = RecognizerApp(
            service: FakeService(),
            configuration: try ClientConfiguration(clientIdentifier: ServiceServer.identifier),
            microphone: nil
        ) { if let help = $0.help { steps.add(help.step) } }
        app.press(.demonstration)
        app.press(.demonstration)
        for _ in 0..<1_500 where !steps.all.contains(1) { try await Task.sleep(for: .milliseconds(20)) }
        app.press(.back)
        #expect(steps.all.contains(1) && app.screen.help == nil)
        #expect(app.screen.lines.first?.contains("Choose") == true)
    }

    @Test("The program tells help without a service", .requirements("R-MC-247"))
    func program() async throws {
        let outcome = try await Tool("Recognizer").run(["help"], environment: ["EARSHOT_CLIENT": ""])
        #expect(outcome.status == 0 && outcome.output.contains("How music is recognized best"))
        #expect(outcome.output.contains("What happens when music is recognised"))
        #expect(outcome.output.contains("5  The music is shown"))
    }
}
