import EarshotCatalogs
import EarshotCore
import EarshotMusic
@testable import EarshotRecognition
import EarshotSignatures
import Foundation
import TestSupport
import Testing

@testable import EarshotMonitor

@Suite("What a monitor makes of audio and answers")
struct MonitorCoreTests {
    @Test(
        "A lookup in both places says what it does, in order, under one number",
        .requirements("R-ACR-063", "R-ACR-064", "R-ACR-068", "R-ACR-148")
    )
    func order() throws {
        var stage = Stage()
        stage.localDelay = 0.2
        stage.online = { _ in .success(.archive("film")) }
        stage.start()
        stage.hear(noise(8))
        let lookup = stage.events.filter { $0.lookup == 1 || $0.kind == .nextQueryTime }.map(\.kind)
        #expect(
            lookup.filter { !$0.isLevel || $0 == .nextQueryTime } == [
                .fingerprintStarted, .audioStarted, .fingerprintDone, .queryStarted, .localLookupStarted,
                .localLookupDone, .onlineLookupStarted, .onlineLookupDone, .match, .contentChanged, .nextQueryTime,
            ]
        )
        let done = (stage.events(.localLookupDone), stage.events(.onlineLookupDone))
        #expect((done.0.first?.value, done.0.first?.text) == (200, "miss"))
        #expect((done.1.first?.value, done.1.first?.text) == (1_000, "hit"))
        #expect(stage.events(.fingerprintDone).first?.value == 6_000)
        #expect(stage.events(.fingerprintStarted).first?.trigger == .start)
        #expect(stage.events.allSatisfy { $0.date == Stage.date })
        #expect(stage.events.map(\.time) == stage.events.map(\.time).sorted())
        let result = try #require(stage.results.first)
        #expect(result.matches.map(\.title) == ["film"])
        #expect(stage.events(.match).first?.value == 1)
    }

    @Test("A match in the store asks nobody online", .requirements("R-ACR-109", "R-ACR-140", "R-ACR-148"))
    func localHit() {
        var stage = Stage { $0.onlineInterval = 0 }
        stage.local = { _ in .success([.work("film")]) }
        stage.start()
        stage.hear(noise(7))
        #expect(stage.onlineQueries.isEmpty)
        #expect(stage.results.map(\.source) == [.local] && stage.results.map(\.kind) == [.localThenOnline])
        #expect(stage.events(.onlineLookupStarted).isEmpty)
        // Without a match, a request goes online, unless the store alone is to be asked.
        stage.local = { _ in .success([]) }
        stage.ask()
        stage.hear(noise(8))
        #expect(stage.onlineQueries.count == 1)
        stage.set { $0.cacheOnly = true }
        stage.ask()
        stage.hear(noise(8))
        #expect(stage.onlineQueries.count == 1)
        #expect(stage.results.map(\.kind) == [.localThenOnline, .localThenOnline, .localOnly])
    }

    @Test("A lookup in the store alone that is raised says so, once", .requirements("R-ACR-149"))
    func raised() {
        var stage = Stage { ($0.onlineInterval, $0.localInterval) = (0, 20) }
        stage.start()
        // The first answer comes at 7 s; at 27 s the fingerprint of a local lookup is begun.
        stage.hear(noise(28))
        #expect(stage.events(.fingerprintStarted).last?.lookupKind == .localOnly)
        stage.ask()
        stage.ask()
        stage.hear(noise(8))
        let upgrades = stage.events(.fingerprintUpgraded)
        #expect(upgrades.count == 1 && upgrades.first?.trigger == .manual && upgrades.first?.lookup == 2)
        #expect(stage.results.map(\.kind) == [.localThenOnline, .localThenOnline])
        #expect(stage.results.last?.trigger == .manual && stage.onlineQueries.count == 2)
    }

    @Test("Each lookup that was submitted has one result", .requirements("R-ACR-071"))
    func oneResult() {
        var stage = Stage { ($0.onlineInterval, $0.localInterval) = (20, 7) }
        stage.online = { signature in signature.landmarks.count % 2 == 0 ? .success(.archive("a")) : .success(.init()) }
        stage.start()
        for round in 0..<6 {
            stage.hear(noise(13, seed: UInt64(round)))
            stage.ask()
            if round == 3 { stage.hear(silence(20)) }
        }
        stage.hear(noise(8))
        #expect(stage.results.count > 8)
        #expect(stage.events(.queryStarted).count == stage.results.count)
        #expect(stage.events(.queryStarted).compactMap(\.lookup) == stage.results.map(\.lookup))
    }

    @Test("Nothing found is a result without matches, and no error", .requirements("R-ACR-074"))
    func nothing() throws {
        var stage = Stage()
        stage.start()
        stage.hear(noise(8))
        let result = try #require(stage.results.first)
        #expect(result.matches.isEmpty)
        #expect(result.error == nil)
        #expect(stage.events(.noMatch).map(\.value) == [1])
    }

    @Test("Several matches stay in the order of whoever answered", .requirements("R-ACR-075"))
    func several() throws {
        var stage = Stage()
        stage.online = { _ in .success(.archive("first", "second", "third")) }
        stage.start()
        stage.hear(noise(8))
        #expect(stage.results.first?.matches.map(\.title) == ["first", "second", "third"])
        #expect(stage.events(.match).first?.value == 3)
    }

    @Test("A result names what caused it, where it looked, and when its audio was heard", .requirements("R-ACR-093"))
    func causes() throws {
        var stage = Stage { ($0.onlineInterval, $0.localInterval) = (60, 25) }
        stage.start()
        stage.hear(noise(8))
        stage.ask()
        stage.hear(noise(62))
        #expect(Set(stage.results.map(\.trigger)) == [.start, .manual, .localTimer, .onlineTimer])
        for result in stage.results {
            #expect(result.kind == (result.trigger == .localTimer ? .localOnly : .localThenOnline))
            #expect(result.capturedAt < stage.instant)
            #expect(result.capturedDate < Stage.date)
        }
        let first = try #require(stage.results.first)
        #expect(abs(first.capturedAt.seconds) < 0.01)
        // The answer came a second after the last of six seconds.
        #expect(abs(Stage.date.timeIntervalSince(first.capturedDate) - 7) < 0.01)
    }

    @Test("A result with matches names the place where they were found", .requirements("R-ACR-093"))
    func places() throws {
        var stage = Stage { ($0.onlineInterval, $0.localInterval) = (60, 25) }
        stage.online = { _ in .success(.archive("film")) }
        stage.start()
        stage.hear(noise(8))
        stage.ask()
        stage.hear(noise(8))
        stage.local = { _ in .success([.work("advert")]) }
        stage.hear(noise(40))
        stage.local = { _ in .success([]) }
        stage.hear(noise(60))
        #expect(Set(stage.results.map(\.trigger)) == [.start, .manual, .localTimer, .onlineTimer])
        for result in stage.results {
            switch result.matches.first?.title {
            case "film": #expect(result.source == .archive && result.kind == .localThenOnline)
            case "advert": #expect(result.source == .local && result.trigger == .localTimer)
            default: #expect(result.matches.isEmpty && result.trigger == .localTimer)
            }
        }
        #expect(stage.results.contains { $0.source == .local })
    }

    @Test("A failure is reported with its own code and words, and counts as no miss", .requirements("R-ACR-189"))
    func failure() throws {
        var stage = Stage()
        let lowest = EarshotError(.networkUnavailable, "The cable is out.")
        stage.online = { _ in .failure(lowest) }
        stage.start()
        stage.hear(noise(8))
        let event = try #require(stage.events(.error).first)
        #expect(event.text == "The cable is out.")
        #expect(event.error?.code == .networkUnavailable)
        #expect(event.value == Double(EarshotError.Code.networkUnavailable.number))
        let result = try #require(stage.results.first)
        #expect((result.error?.code, result.error?.message) == (lowest.code, lowest.message))
        #expect(stage.core.scheduler.missesInARow == 0)
        #expect(stage.events(.onlineLookupDone).first?.text == "error")
    }

    @Test("A store that fails sends the question online", .requirements("R-ACR-121"))
    func storeFails() throws {
        var stage = Stage()
        stage.local = { _ in .failure(EarshotError(.storageNotConfigured, "No folder was set.")) }
        stage.online = { _ in .success(.archive("film")) }
        stage.start()
        stage.hear(noise(8))
        #expect(stage.results.first?.matches.count == 1)
        #expect(stage.results.first?.error == nil)
        stage.set { $0.cacheOnly = true }
        stage.ask()
        stage.hear(noise(8))
        #expect(stage.results.last?.error?.code == .storageNotConfigured)
    }

    @Test("Silence is a miss for which nobody is asked", .requirements("R-ACR-171"))
    func silent() {
        var stage = Stage { $0.onlineInterval = 30 }
        stage.start()
        stage.hear(silence(600))
        #expect(stage.localQueries.isEmpty && stage.onlineQueries.isEmpty)
        #expect(stage.results.isEmpty)
        let misses = stage.events(.noMatch).map(\.value)
        #expect(misses.count >= 15)
        #expect(misses == (1...misses.count).map(Double.init))
        #expect(stage.events(.fingerprintFailed).allSatisfy { $0.text == "silence" })
    }

    @Test("Clicks without landmarks are a miss too, and are not called silence")
    func clicks() {
        var stage = Stage { $0.onlineInterval = 30 }
        stage.start()
        // The edges of a square wave of 2 Hz.
        stage.hear(AudioBuffer((0..<960_000).map { $0 / 4_000 % 2 == 0 ? 0.5 : -0.5 }, sampleRate: 16_000))
        #expect(!stage.events(.fingerprintFailed).isEmpty)
        #expect(stage.events(.fingerprintFailed).allSatisfy { $0.text == "no landmarks" })
    }

    @Test("No-match mode is entered, deepened and left once each", .requirements("R-ACR-065", "R-ACR-066"))
    func mode() {
        var stage = Stage { ($0.onlineInterval, $0.noMatchLimit, $0.noMatchMaxDelay) = (10, 2, 120) }
        stage.start()
        stage.hear(silence(700))
        #expect(stage.events(.noMatchModeEntered).map(\.value) == [60])
        #expect(stage.events(.noMatchDelayChanged).map(\.value) == [120])
        #expect(stage.events(.noMatchModeLeft).isEmpty)
        stage.local = { _ in .success([.work("film")]) }
        stage.ask()
        stage.hear(noise(7))
        #expect(stage.events(.noMatchModeLeft).count == 1)
        #expect(stage.core.scheduler.delay == 0)
    }

    @Test("A monitor that is started again has no delay, and counts from one", .requirements("R-ACR-025"))
    func restart() {
        var stage = Stage { ($0.onlineInterval, $0.noMatchLimit) = (0, 1) }
        stage.start()
        stage.hear(silence(7))
        #expect(stage.events(.noMatchModeEntered).count == 1 && stage.core.scheduler.delay == 60)
        stage.stop()
        stage.start()
        #expect(stage.core.scheduler.delay == 0)
        stage.set { $0.noMatchLimit = 2 }
        stage.hear(noise(8))
        // The lookup of the start is not held up, and its miss is the first.
        #expect(stage.events(.noMatch).map(\.value) == [1, 1])
        #expect(stage.core.scheduler.delay == 0)
    }

    @Test("The next lookup is told in seconds, or that there is none", .requirements("R-ACR-067"))
    func next() throws {
        var stage = Stage { $0.onlineInterval = 60 }
        stage.local = { _ in .success([.work("film")]) }
        stage.start()
        stage.hear(noise(7))
        let event = try #require(stage.events(.nextQueryTime).last)
        #expect(abs(event.value - 60) < 0.01)
        #expect(abs(event.time.seconds - 6) < 0.01)
        stage.set { $0.onlineInterval = 0 }
        #expect(stage.events(.nextQueryTime).last?.text == "none")
    }

    @Test("Content that follows other content is told once")
    func change() {
        var stage = Stage { $0.onlineInterval = 0 }
        stage.local = { _ in .success([.work("film")]) }
        stage.start()
        stage.hear(noise(7))
        stage.ask()
        stage.hear(noise(7))
        stage.local = { _ in .success([.work("news")]) }
        stage.ask()
        stage.hear(noise(7))
        let changes = stage.events(.contentChanged).compactMap(\.change)
        #expect(changes.map { $0.old?.title } == [nil, "film"])
        #expect(changes.map(\.new.title) == ["film", "news"])
    }

    @Test("Audio that is missing restarts the fingerprint and is reported", .requirements("R-ACR-053"))
    func gap() {
        var stage = Stage()
        stage.start()
        stage.hear(noise(4))
        stage.gap(2.5)
        #expect(stage.events(.audioGap).map(\.value) == [2_500])
        #expect(stage.events(.fingerprintRestarted).count == 1)
        stage.hear(noise(5))
        #expect(stage.localQueries.isEmpty)
        stage.hear(noise(1.1))
        #expect(stage.localQueries.count == 1)
    }

    @Test("Audio that stays away for two seconds has stopped, and starts anew")
    func pause() {
        var stage = Stage { $0.onlineInterval = 0 }
        stage.start()
        stage.hear(noise(3))
        stage.pass(1.9)
        #expect(stage.events(.audioStopped).isEmpty)
        stage.pass(5)
        #expect(stage.events(.audioStopped).count == 1)
        stage.hear(noise(5.9))
        #expect(stage.events(.audioStarted).count == 2)
        #expect(stage.localQueries.isEmpty)
        stage.hear(noise(0.2))
        #expect(stage.localQueries.count == 1)
    }

    @Test("A request uses the audio that is there already", .requirements("R-ACR-104"))
    func lookback() {
        var stage = Stage { $0.onlineInterval = 0 }
        stage.start()
        stage.hear(noise(20))
        stage.forget()
        stage.ask()
        stage.hear(noise(3.1))
        #expect(stage.localQueries.count == 2)
        #expect(stage.localQueries.last?.duration == MediaTime(value: 6, timescale: 1))
    }

    @Test("Shorter queries for speed, and the same for default and accuracy", .requirements("R-ACR-035", "R-ACR-037"))
    func lengths() {
        func query(_ mode: OptimizationMode) -> (Signature?, Double?) {
            var stage = Stage { $0.optimization = mode }
            stage.local = { _ in .success([.work("film")]) }
            stage.start()
            stage.hear(SyntheticMusic(seed: 3, duration: 9).buffer())
            return (stage.localQueries.first, stage.events(.match).first?.time.seconds)
        }
        #expect(query(.default) == query(.accuracy))
        #expect(query(.speed).1 ?? 9 < query(.accuracy).1 ?? 0)
        #expect(query(.speed).0?.duration == MediaTime(value: 7, timescale: 2))
    }

    @Test("The adaptive mode follows noise, and says to what", .requirements("R-ACR-038"))
    func adaptive() {
        var stage = Stage { ($0.optimization, $0.onlineInterval) = (.adaptive, 0) }
        stage.start()
        stage.hear(SyntheticMusic(seed: 3, duration: 12).buffer())
        let before = stage.events(.optimizationChanged).last?.text
        stage.hear(noise(12))
        #expect(stage.events(.optimizationChanged).last?.text == "patience")
        #expect(before != "patience")
        // A lookup in the noise takes longer audio.
        stage.ask()
        stage.hear(noise(12))
        #expect(stage.localQueries.last?.duration == MediaTime(value: 10, timescale: 1))
    }

    @Test("A bound that took the place of a value is in the log, when there is one", .requirements("R-ACR-040"))
    func snapLog() {
        var stage = Stage()
        stage.core.isDebugLogging = true
        stage.start()
        stage.set { $0.onlineInterval = 86_401 }
        #expect(
            stage.events(.debug).map(\.text) == ["onlineInterval was set to 86401, and 86400 is used."]
        )
        stage.core.isDebugLogging = false
        stage.forget()
        stage.set { $0.localInterval = -5 }
        #expect(stage.events(.debug).isEmpty)
    }

    @Test("The last seconds of the audio are kept", .requirements("R-ACR-117"))
    func rolling() {
        var stage = Stage()
        stage.start()
        let audio = noise(40)
        stage.hear(audio)
        let kept = AudioBuffer.joined(stage.core.audio.last(15))
        #expect(kept == audio.frames(25 * 16_000..<40 * 16_000))
        #expect(AudioBuffer.joined(stage.core.audio.last(3)) == audio.frames(37 * 16_000..<40 * 16_000))
    }
}
