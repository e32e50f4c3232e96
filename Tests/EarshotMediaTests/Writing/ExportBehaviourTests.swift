import Dispatch
import EarshotCore
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import EarshotMedia

/// The highest of some numbers.
private final class Peak: Sendable {
    private let highest = Mutex(0)

    var value: Int { highest.withLock { $0 } }

    func see(_ number: Int) { highest.withLock { $0 = max($0, number) } }
}

@Suite("What an export promises")
struct ExportBehaviourTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func destination(_ name: String) -> URL { folder.url.appendingPathComponent(name) }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
    }

    @Test(
        "a file that is there is refused and stays, and is replaced when that was asked for",
        .requirements("R-MR-048", "R-MR-049")
    )
    func existing() async throws {
        let url = try folder.write([1, 2, 3], as: "song.wav")
        let session = ExportSession(Fixtures.url("wav16.wav"), to: url)
        let error = await #expect(throws: EarshotError.self) { try await session.export() }
        #expect(error?.code == .destinationExists)
        #expect(error?.message.contains(url.path) == true)
        #expect(session.status == .failed && session.error?.code == .destinationExists)
        #expect(try Data(contentsOf: url) == Data([1, 2, 3]))
        chmod(url.path, 0o640)
        let file = try await ExportSession(Fixtures.url("wav16.wav"), to: url, replacing: true).export()
        #expect(file.url?.lastPathComponent == "song.wav")
        #expect(try Asset.loadBlocking(url).streams.first?.codec == "pcm_s16le")
        let rights = try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int
        #expect(rights == 0o640)
        #expect(try names() == ["song.wav"])
    }

    @Test(
        "a protected file is neither converted nor copied, and nothing is written",
        .requirements("R-MR-097"),
        arguments: [(ExportSettings(.pcmSource), "copy.wav"), (ExportSettings(.passthrough), "copy.m4a")]
    )
    func protected(settings: ExportSettings, name: String) async throws {
        let session = ExportSession(Fixtures.url("protected.mp4"), settings: settings, to: destination(name))
        let error = await #expect(throws: EarshotError.self) { try await session.export() }
        #expect(error?.code == .assetProtected)
        #expect(session.status == .failed)
        #expect(try names() == [])
    }

    @Test(
        "what is canceled or fails leaves the file that it was to replace, and nothing else",
        .requirements("R-MR-069", "R-MR-070")
    )
    func unfinished() async throws {
        let url = try folder.write([1, 2, 3], as: "song.flac")
        let cancelled = ExportSession(Fixtures.url("long.flac"), to: url, replacing: true)
        cancelled.onProgress { [weak cancelled] _ in cancelled?.cancel() }
        let error = await #expect(throws: EarshotError.self) { try await cancelled.export() }
        #expect(error?.code == .cancelled)
        #expect(cancelled.status == .cancelled && cancelled.error == nil)
        // A file that breaks off.
        let broken = try folder.write(Array(try Fixtures.bytes("long.flac").prefix(40_000)), as: "broken.flac")
        let failed = ExportSession(broken, to: url, replacing: true)
        await #expect(throws: EarshotError.self) { try await failed.export() }
        #expect(failed.status == .failed && failed.error?.code == .readFailed)
        #expect(try Data(contentsOf: url) == Data([1, 2, 3]))
        #expect(try names() == ["broken.flac", "song.flac"])
    }

    @Test("source and destination are closed after success, failure and canceling", .requirements("R-MR-060"))
    func closes() async throws {
        let bytes = try Fixtures.bytes("long.flac")
        let whole = try folder.write(bytes, as: "whole.flac")
        let broken = try folder.write(Array(bytes.prefix(40_000)), as: "broken.flac")
        let (opened, place) = (Peak(), folder.url)
        let done = ExportSession(whole, to: destination("done.wav"))
        done.onProgress { _ in opened.see(openFiles(below: place)) }
        try await done.export()
        #expect(try await allFilesAreClosed(below: place))
        let failed = ExportSession(broken, to: destination("failed.wav"))
        await #expect(throws: EarshotError.self) { try await failed.export() }
        #expect(failed.status == .failed)
        #expect(try await allFilesAreClosed(below: place))
        let cancelled = ExportSession(whole, to: destination("cancelled.wav"))
        cancelled.onProgress { [weak cancelled] _ in cancelled?.cancel() }
        await #expect(throws: EarshotError.self) { try await cancelled.export() }
        #expect(cancelled.status == .cancelled)
        #expect(try await allFilesAreClosed(below: place))
        // While it ran they were open: the count sees them.
        #expect(opened.value > 0)
    }

    #if os(Linux)
        @Test("a disk that is full ends an export with its error, and nothing more is read", .requirements("R-MR-058"))
        func full() async throws {
            let descriptor = open("/dev/full", O_WRONLY)
            defer { close(descriptor) }
            #expect(descriptor >= 0)
            let session = ExportSession(
                Fixtures.url("long.flac"),
                settings: ExportSettings(.floatSource),
                toDescriptor: descriptor,
                as: .raw,
                tags: nil
            )
            let error = await #expect(throws: EarshotError.self) { try await session.export() }
            #expect(error?.code == .writeFailed)
            let whole = try await Recording.read(Fixtures.url("long.flac")).frameCount
            #expect(session.progress.frameCount < Int64(whole))
        }
    #endif

    @Test("a session that is cancelled before it begins never begins", .requirements("R-MR-069"))
    func early() async throws {
        let session = ExportSession(Fixtures.url("wav16.wav"), to: destination("a.wav"))
        session.cancel()
        #expect(session.status == .cancelled)
        let error = await #expect(throws: EarshotError.self) { try await session.export() }
        #expect(error?.code == .cancelled)
        #expect(try names() == [])
    }

    @Test("the type follows from the name, and a clash is refused", .requirements("R-MR-031", "R-MR-045"))
    func types() async throws {
        #expect(try FileType.choose(for: destination("a.CAF")) == .caf)
        #expect(try FileType.choose(for: destination("a"), stated: .wav) == .wav)
        #expect(try FileType.choose(for: destination("a.bin"), stated: .raw) == .raw)
        for (name, type) in [("a.wav", FileType.caf), ("a", nil), ("a.txt", nil)] {
            let error = #expect(throws: EarshotError.self) { try FileType.choose(for: destination(name), stated: type) }
            #expect(error?.code == .fileTypeUnsupported)
            #expect(error?.message.contains(name) == true)
        }
        let session = ExportSession(Fixtures.url("wav16.wav"), to: destination("a.wav"), as: .caf)
        let error = await #expect(throws: EarshotError.self) { try await session.export() }
        #expect(error?.code == .fileTypeUnsupported)
    }

    @Test("a plan names every loss, and writes nothing", .requirements("R-MR-081", "R-MR-080", "R-MR-047"))
    func plans() async throws {
        var settings = ExportSettings(.pcm16Stereo44100)
        settings.channels = .mono
        let plan = try await ExportSession(Fixtures.url("tagged.m4a"), settings: settings, to: destination("a.caf"))
            .plan()
        #expect(plan.losses.contains(.decoded(codec: "aac")))
        #expect(plan.losses.contains(.channels(from: 2, to: 1)))
        #expect(plan.losses.contains(.bits(from: 32, to: 16)))
        #expect(plan.losses.contains(.pictures(1)))
        #expect(try await ExportSession(Fixtures.url("wav24.wav"), to: destination("a.flac")).plan().losses == [])
        let reduced = try await ExportSession(
            Fixtures.url("wav24.wav"),
            settings: ExportSettings(.pcm16Stereo44100),
            to: destination("a.wav")
        ).plan()
        #expect(reduced.losses == [.sampleRate(from: 48_000, to: 44_100), .bits(from: 24, to: 16)])
        let presets = try await ExportSession.compatiblePresets(for: Fixtures.url("tagged.m4a"))
        #expect(presets.contains(.pcmSource) && presets.contains(.passthrough))
        #expect(try await ExportSession.passthroughTypes(for: Fixtures.url("tagged.m4a")) == [.m4a])
        #expect(try names() == [])
    }

    @Test("more channels than an encoding has are refused, not mixed", .requirements("R-MR-012"))
    func refused() async throws {
        let session = ExportSession(Fixtures.url("surround.wav"), to: destination("a.mp3"))
        let error = await #expect(throws: EarshotError.self) { try await session.export() }
        #expect(error?.code == .pipelineRefused)
        var settings = ExportSettings()
        settings.encoding = .pcm(nil)
        let clash = ExportSession(Fixtures.url("wav16.wav"), settings: settings, to: destination("a.mp3"))
        #expect(await #expect(throws: EarshotError.self) { try await clash.plan() }?.code == .pipelineRefused)
        #expect(try names() == [])
    }

    @Test(
        "progress never falls, is one at the end only, and is told by stream and by closure alike",
        .requirements("R-MR-066", "R-MR-068")
    )
    func progress() async throws {
        let session = ExportSession(Fixtures.url("long.flac"), to: destination("a.wav"))
        let heard = Mutex<[ExportProgress]>([])
        session.onProgress { progress in heard.withLock { $0.append(progress) } }
        let reports = session.progressReports
        let file = try await session.export()
        var streamed: [ExportProgress] = []
        for await report in reports { streamed.append(report) }
        #expect(streamed == heard.withLock { $0 })
        let fractions = streamed.compactMap(\.fraction)
        #expect(fractions == fractions.sorted() && fractions.last == 1 && fractions.dropLast().allSatisfy { $0 < 1 })
        #expect(streamed.last?.frameCount == file.frameCount)
        #expect(session.progress.fraction == 1)
    }

    @Test("at most ten reports a second, whatever the pace", .requirements("R-MR-068"))
    func pace() {
        var meter = ExportMeter(start: .zero, expected: MediaTime(seconds: 100), now: .zero)
        var reports: [Double] = []
        for step in 1...1_000 {
            let now = MediaTime(value: Int64(step), timescale: 1_000)
            let end = MediaTime(value: Int64(step), timescale: 10)
            if let report = meter.converted(frames: 1, bytes: 4, to: end, now: now) { reports.append(report.elapsed) }
        }
        #expect(reports.count == 10)
        #expect(zip(reports, reports.dropFirst()).allSatisfy { $1 - $0 > 0.0999 })
        #expect(meter.progress.fraction == 0.9999 && meter.progress.byteCount == 4_000)
        #expect(meter.finished(now: MediaTime(seconds: 2)).fraction == 1)
    }

    @Test("no status follows another but those that may", .requirements("R-MR-074", "R-MR-075", "R-MR-077"))
    func statuses() {
        let allowed: [ExportStatus: Set<ExportStatus>] = [
            .unknown: [.waiting, .failed, .cancelled], .waiting: [.exporting, .failed, .cancelled],
            .exporting: [.completed, .failed, .cancelled], .completed: [], .failed: [], .cancelled: [],
        ]
        var seen: Set<ExportStatus> = []
        property("events in any order") { random in
            var state = ExportState()
            seen.insert(state.status)
            for _ in 0..<12 {
                let before = state.status
                let events: [ExportState.Event] = [.requested, .begun, .completed, .cancelled, .failed(nil)]
                guard let event = events.randomElement(using: &random) else { return false }
                let changed = state.apply(event)
                seen.insert(state.status)
                guard changed == (state.status != before) else { return false }
                if changed, allowed[before]?.contains(state.status) != true { return false }
                if (state.status == .failed) != (state.error != nil) { return false }
            }
            return true
        }
        #expect(seen == Set(ExportStatus.allCases))
    }

    @Test("the completion is called once, in a final status", .requirements("R-MR-076"))
    func completion() async throws {
        for (source, name, cancels) in [
            ("wav16.wav", "a.wav", false), ("nothing.wav", "b.wav", false), ("wav16.wav", "c.wav", true),
        ] {
            let session = ExportSession(Fixtures.url(source), to: destination(name))
            let calls = Mutex(0)
            await withCheckedContinuation { continuation in
                session.start {
                    calls.withLock { $0 += 1 }
                    continuation.resume()
                }
                if cancels { session.cancel() }
            }
            #expect(session.status.isFinal)
            #expect(calls.withLock { $0 } == 1)
        }
    }

    @Test("of twenty exports never more than four run", .requirements("R-MR-063"))
    func limited() async throws {
        let limit = ExportLimit(4)
        let most = Peak()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<20 {
                let url = destination("\(number).flac")
                group.addTask {
                    let session = ExportSession(Fixtures.url("wav16.wav"), to: url, limit: limit)
                    session.onProgress { _ in most.see(limit.activeCount) }
                    try await session.export()
                }
            }
            try await group.waitForAll()
        }
        #expect((1...4).contains(most.value))
        #expect(limit.activeCount == 0)
        #expect(try names().count == 20)
    }

    @Test("one that waits for its turn ends at once when it is cancelled", .requirements("R-MR-069"))
    func impatient() async throws {
        let limit = ExportLimit(1)
        #expect(await limit.enter(ObjectIdentifier(limit), Cancellation()))
        let session = ExportSession(Fixtures.url("wav16.wav"), to: destination("a.wav"), limit: limit)
        let task = Task { try await session.export() }
        while session.status != .waiting { await Task.yield() }
        session.cancel()
        let error = await #expect(throws: EarshotError.self) { _ = try await task.value }
        #expect(error?.code == .cancelled)
        #expect(limit.activeCount == 1)
        limit.leave()
        #expect(limit.activeCount == 0)
    }

    @Test("Without a library for tags, the properties go over, and the plan names the lost pictures")
    func tagsByFFmpeg() async throws {
        let url = destination("a.flac")
        let session = ExportSession(Fixtures.url("tagged.m4a"), to: url)
        let lost = try await session.plan().losses.contains { loss in
            if case .pictures = loss { true } else { false }
        }
        #expect(lost)
        try await session.export()
        let source = try await Asset.load(Fixtures.url("tagged.m4a"))
        let copy = try await Asset.load(url)
        #expect(copy.tags.title == source.tags.title && copy.tags.title != nil)
        #expect(copy.artwork == nil && source.artwork != nil)
    }

    @Test("chapters go with it where the type has them", arguments: [FileType.m4a, .mp3, .ogg, .opus, .flac])
    func chapters(_ type: FileType) async throws {
        let source = Fixtures.url("late.mp4")
        let url = destination("a.\(type.fileExtensions[0])")
        try await ExportSession(source, to: url).export()
        let (before, after) = (try Asset.loadBlocking(source).chapters, try Asset.loadBlocking(url).chapters)
        #expect(after.map(\.title) == before.map(\.title))
        for (one, other) in zip(before, after) { #expect(abs((one.start - other.start).seconds) < 0.002) }
    }

    @Test("chapters of a part begin and end with it")
    func chaptersOfPart() async throws {
        let source = Fixtures.url("late.mp4")
        let chapters = try Asset.loadBlocking(source).chapters
        try #require(chapters.count > 1)
        let middle = chapters[0].end
        var settings = ExportSettings()
        let half = MediaTime(value: 1, timescale: 4)
        settings.range = middle - half..<middle + half
        let url = destination("part.m4a")
        try await ExportSession(source, settings: settings, to: url).export()
        let cut = try Asset.loadBlocking(url).chapters
        #expect(cut.map(\.title) == chapters.prefix(2).map(\.title))
        #expect(cut[0].start == .zero && abs((cut[0].end - half).seconds) < 0.002)
        #expect(abs((cut[1].end - half - half).seconds) < 0.002)
    }

    @Test("the types that take a source are listed, CAF among them for all", .requirements("R-MR-044"))
    func fileTypes() async throws {
        for name in Fixtures.readable {
            #expect(try await ExportSession.fileTypes(for: Fixtures.url(name)).contains(.caf), "\(name)")
        }
        #expect(try await ExportSession.fileTypes(for: Fixtures.url("wav16.wav")) == FileType.allCases)
        // MP3 has two channels at most.
        let surround = try await ExportSession.fileTypes(for: Fixtures.url("surround.wav"))
        #expect(!surround.contains(.mp3) && surround.contains(.flac))
    }

    @Test("bytes are told while it runs, and in all are those of the sound", .requirements("R-MR-064"))
    func bytes() async throws {
        let reader = try await AssetReader(Fixtures.url("wav16.wav"), options: .init(sampleType: .int16))
        var sum: Int64 = 0
        for try await block in reader {
            sum += Int64(block.buffer.frameCount * block.buffer.channelCount * 2)
            #expect(reader.progress.byteCount == sum)
        }
        let session = ExportSession(Fixtures.url("wav16.wav"), to: destination("a.raw"))
        let last = Mutex<ExportProgress?>(nil)
        session.onProgress { progress in last.withLock { $0 = progress } }
        let file = try await session.export()
        #expect(last.withLock { $0?.byteCount } == file.byteCount && file.byteCount == sum)
    }

    @Test("bytes beyond four thousand million are counted right", .requirements("R-MR-059"))
    func large() {
        var meter = ExportMeter(start: .zero, expected: nil, now: .zero)
        for _ in 0..<40_000 { _ = meter.converted(frames: 65_536, bytes: 262_144, to: .zero, now: .zero) }
        #expect(meter.progress.byteCount == 10_485_760_000 && meter.progress.frameCount == 2_621_440_000)
        let reading = ProgressMeter(start: .zero, expected: nil)
        let block = DecodedBlock(
            AudioBlock(AudioBuffer([Int16](repeating: 0, count: 65_536), sampleRate: 8_000), at: .zero)
        )
        for _ in 0..<40_000 { reading.delivered(block) }
        #expect(reading.progress.byteCount == 5_242_880_000 && reading.progress.frameCount == 2_621_440_000)
    }

    @Test(
        "an outcome is the name of the file, or the reason, also where nothing said one",
        .requirements("R-MR-078", "R-MR-079")
    )
    func outcomes() async throws {
        let session = ExportSession(Fixtures.url("wav16.wav"), to: destination("song.flac"))
        #expect(session.outcome == nil)
        try await session.export()
        #expect(session.outcome == .completed(name: "song.flac") && session.outcome?.description == "song.flac")
        let failed = ExportSession(Fixtures.url("silent.mp4"), to: destination("b.flac"))
        _ = try? await failed.export()
        #expect(failed.outcome?.description == failed.error?.message)
        for error in [nil, EarshotError(.internalError, "")] {
            let outcome = ExportOutcome(.failed, error: error, destination: destination("b.flac"))
            #expect(outcome?.description.contains("failed without an error") == true)
        }
        #expect(ExportOutcome(.cancelled, error: nil, destination: destination("b.flac")) == .cancelled)
    }

    @Test("gaps are filled with silence, up to ten minutes of it or a tenth of what is heard")
    func silence() throws {
        func writer(_ name: String, limits: Bool) throws -> AudioStreamWriter {
            try AudioStreamWriter(
                .file(destination(name), replacing: false),
                type: .flac,
                settings: EncoderSettings(
                    encoding: .flac(bits: 16),
                    sampleRate: 8_000,
                    channelCount: 1,
                    significantBits: 16,
                    dithers: false
                ),
                limitsSilence: limits
            )
        }
        func block(_ seconds: Int64) -> DecodedBlock {
            let samples = [Int16](repeating: 100, count: 8_000)
            return DecodedBlock(
                AudioBlock(AudioBuffer(samples, sampleRate: 8_000), at: MediaTime(value: seconds, timescale: 1))
            )
        }
        let limited = try writer("a.flac", limits: true)
        try limited.append(block(0))
        try limited.append(block(600))
        let error = #expect(throws: EarshotError.self) { try limited.append(block(700)) }
        #expect(error?.code == .readFailed && error?.message.contains("a.flac") == true)
        let free = try writer("b.flac", limits: false)
        try free.append(block(0))
        try free.append(block(4_000))
        #expect(try free.finish().frameCount == 4_001 * 8_000)
    }

    @Test("the input ends first, then the writer, then the reader", .requirements("R-MR-061"))
    func order() async throws {
        let reader = try await AssetReader(Fixtures.url("wav16.wav"), options: .init(sampleType: .int16))
        let file = try await AssetWriter(to: destination("a.wav")).write(reader)
        #expect(reader.state == .completed && file.url?.lastPathComponent == "a.wav")
        for fails in [false, true] {
            let parts = RecordedParts(fails: fails)
            let result = try? await parts.run()
            #expect((result == nil) == fails)
            let expected =
                fails
                ? ["move", "cancel writer", "cancel reader"]
                : ["move", "finish input", "finish writer", "cancel reader"]
            #expect(parts.steps.withLock { $0 } == expected)
        }
    }
}

/// Writes down what is asked of it.
private final class RecordedParts: TransferParts {
    let steps = Mutex<[String]>([])
    private let fails: Bool

    init(fails: Bool) { self.fails = fails }

    private func note(_ step: String) { steps.withLock { $0.append(step) } }

    func move() async throws {
        note("move")
        if fails { throw EarshotError(.readFailed, "broken") }
    }
    func finishInput() { note("finish input") }
    func finishWriter() async throws -> WrittenFile {
        note("finish writer")
        return WrittenFile(url: nil, type: .raw, byteCount: 0, frameCount: 0, duration: .zero)
    }
    func cancelWriter() { note("cancel writer") }
    func cancelReader() { note("cancel reader") }
}
