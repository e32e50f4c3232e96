// Measures how soon calls of reading, writing and monitoring come back, and holds them against what is allowed.
//
//   pace [SECONDS]    a producer in real time writes for so long; 20 without it
//
// The sound is an hour of quiet noise, made in a folder that is removed. Ends with 1 where a limit is broken.

import BenchmarkSupport
import EarshotCore
import EarshotMedia
import EarshotMonitor
import EarshotRecognition
import EarshotTags
import Foundation

let folder = FileManager.default.temporaryDirectory.appendingPathComponent("pace-\(UUID().uuidString)")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)

func milliseconds(_ duration: Duration) -> Double {
    Double(duration.components.seconds) * 1_000 + Double(duration.components.attoseconds) / 1e15
}

var limits = Limits()
/// A figure in milliseconds, to a hundredth of one.
func rounded(_ milliseconds: Double) -> Double { (milliseconds * 100).rounded() / 100 }

/// An hour of mono at 44.1 kHz: no file is shorter for being quiet.
func hour() async throws -> URL {
    let url = folder.appendingPathComponent("hour.wav")
    let format = AudioFormat(sampleRate: 44_100, channelCount: 1, sampleType: .int16)
    let writer = try AssetWriter(to: url)
    let input = try writer.addInput(format, dithers: false)
    try await writer.start()
    var state: UInt32 = 1
    for minute in 0..<60 {
        var samples = [Int16](repeating: 0, count: 60 * 44_100)
        for index in samples.indices {
            state = state &* 1_664_525 &+ 1_013_904_223
            samples[index] = Int16(truncatingIfNeeded: state >> 24)
        }
        let time = MediaTime(value: Int64(minute) * 60, timescale: 1)
        try await input.append(AudioBlock(AudioBuffer(samples, sampleRate: 44_100), at: time))
    }
    try await writer.finish()
    return url
}

let source = try await hour()
let clock = ContinuousClock()

// How soon the call that starts an export of an hour comes back, and how soon one that is canceled is over.
let starting = requirements("R-MR-055")
let cancelling = requirements("R-MR-069")
var (slowestStart, slowestCancel, cleanCancels) = (0.0, 0.0, 0)
for round in 0..<20 {
    let destination = folder.appendingPathComponent("\(round).flac")
    let session = ExportSession(source, to: destination, tags: .tagLib)
    slowestStart = max(slowestStart, milliseconds(clock.measure { session.start() }))
    // Some are canceled before they are begun, some well under way.
    try await Task.sleep(for: .milliseconds(round * 20))
    let begin = clock.now
    session.cancel()
    while !session.status.isFinal { try await Task.sleep(for: .milliseconds(1)) }
    slowestCancel = max(slowestCancel, milliseconds(clock.now - begin))
    if session.status == .cancelled, !FileManager.default.fileExists(atPath: destination.path) { cleanCancels += 1 }
}
limits.hold(starting, "the call that starts an export, worst of 20, ms:", rounded(slowestStart), atMost: 50)
limits.hold(cancelling, "until an export is canceled, worst of 20, ms:", rounded(slowestCancel), atMost: 500)
limits.hold(cancelling, "\(cleanCancels) of 20 exports are canceled and leave no file", cleanCancels == 20)

// How soon a destination that exists is refused.
let refusing = requirements("R-MR-051")
let taken = folder.appendingPathComponent("taken.flac")
try Data([1]).write(to: taken)
var slowestRefusal = 0.0
for _ in 0..<20 {
    let begin = clock.now
    _ = try? await ExportSession(source, to: taken, tags: .tagLib).export()
    slowestRefusal = max(slowestRefusal, milliseconds(clock.now - begin))
}
limits.hold(refusing, "until an hour is refused, worst of 20, ms:", rounded(slowestRefusal), atMost: 100)

// How long a producer of sound in real time ever waits.
let capturing = requirements("R-MR-033")
let writer = try AssetWriter(to: folder.appendingPathComponent("captured.flac"))
let input = try writer.addInput(AudioFormat(sampleRate: 44_100, channelCount: 2, sampleType: .int16), isRealTime: true)
try await writer.start()
let seconds = CommandLine.arguments.dropFirst().first.flatMap { Int64($0) } ?? 20
let block = AudioBuffer([Int16](repeating: 1_000, count: 2 * 1_024), sampleRate: 44_100, channelCount: 2)
let begin = clock.now
var longestWait = 0.0
for number in 0..<(seconds * 44_100 / 1_024) {
    let time = MediaTime(frames: number * 1_024, sampleRate: 44_100)
    try await clock.sleep(until: begin + .microseconds(number * 1_024 * 1_000_000 / 44_100))
    let asked = clock.now
    try await input.append(AudioBlock(block, at: time))
    longestWait = max(longestWait, milliseconds(clock.now - asked))
}
try await writer.finish()
limits.hold(capturing, "a producer in real time waits, worst of \(seconds) s, ms:", rounded(longestWait), atMost: 50)

// How soon a monitor has taken ten seconds of audio while a lookup stands still.
let submitting = requirements("R-ACR-052")
func noise(seconds: Int) -> AudioBuffer {
    var state: UInt32 = 7
    let samples = (0..<seconds * 16_000).map { _ in
        state = state &* 1_664_525 &+ 1_013_904_223
        return Int16(truncatingIfNeeded: state >> 18)
    }
    return AudioBuffer(samples, sampleRate: 16_000)
}
var slowestSubmit = 0.0
for _ in 0..<5 {
    let (begun, lookups) = AsyncStream.makeStream(of: Void.self)
    let monitor = try Monitor(
        registration: .local,
        local: { _ in
            lookups.yield()
            Thread.sleep(forTimeInterval: 2)
            return .success([])
        },
        service: nil
    )
    monitor.properties.cacheOnly = true
    try monitor.initializeAudio()
    try monitor.start()
    try monitor.submit(noise(seconds: 7))
    for await _ in begun { break }
    let audio = noise(seconds: 10)
    let begin = clock.now
    try monitor.submit(audio)
    slowestSubmit = max(slowestSubmit, milliseconds(clock.now - begin))
    monitor.stop()
}
limits.hold(submitting, "until ten seconds are submitted, worst of 5, ms:", rounded(slowestSubmit), atMost: 50)

// How soon a monitor answers in the mode for speed, beside the mode for accuracy: sound in real time, and a search in a catalog.
let answering = requirements("R-ACR-037")
let times = try await AnswerTimes(count: 15).measure([.speed, .accuracy])
let medians = [OptimizationMode.speed, .accuracy].map { Output.median(times[$0] ?? [.infinity]) }
let isAnswered = medians[1].isFinite
limits.hold(answering, "the mode for accuracy answers most of 15 pieces", isAnswered)
limits.hold(
    answering,
    "until an answer in the mode for speed, median of 15, s, against that for accuracy:",
    (medians[0] * 100).rounded() / 100,
    atMost: isAnswered ? (medians[1] * 100).rounded() / 100 : 0
)
try? FileManager.default.removeItem(at: folder)
do {
    try limits.finish()
} catch {
    FileHandle.standardError.write(Data("pace: \(error)\n".utf8))
    exit(1)
}
