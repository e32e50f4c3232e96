// Measures a library of many songs, for scripts/checks/library-scale.
//
//   library make COUNT FOLDER     small MP3 files with tags, no two with the same sound; more are added to those that are there
//   library scan FOLDER STORE     scans it once and says how long that took and how much memory; how soon the call came back
//   library ask FOLDER STORE      scans it, asks, and asks while every file is read anew; and how long the main thread was held
//
// Prints one JSON object.

import EarshotCore
import EarshotLibrary
import EarshotMedia
import EarshotSQLite
import Foundation
import Synchronization

func fail(_ text: String) -> Never {
    FileHandle.standardError.write(Data("library: \(text)\n".utf8))
    exit(2)
}

func seconds(_ duration: Duration) -> Double {
    Double(duration.components.seconds) + Double(duration.components.attoseconds) / 1e18
}

/// The most memory that the process had, in MB.
func peakMemory() -> Double {
    var usage = rusage()
    #if os(Linux)
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        return Double(usage.ru_maxrss) / 1_024
    #else
        getrusage(RUSAGE_SELF, &usage)
        return Double(usage.ru_maxrss) / 1_048_576
    #endif
}

func say(_ figures: [String: Double]) throws {
    let data = try JSONSerialization.data(withJSONObject: figures, options: [.sortedKeys])
    print(String(decoding: data, as: UTF8.self))
}

@concurrent
func scan(_ library: FolderLibrary) async throws -> FolderScanEvent.Summary {
    for try await event in library.scan() {
        if case .failed(let failure) = event { fail(failure.message) }
        if case .ended(let summary) = event { return summary }
    }
    fail("the scan did not end")
}

func library(_ arguments: [String], width: Int? = nil, encoding: LegacyEncoding? = nil) throws -> FolderLibrary {
    var options = FolderLibrary.Options()
    if let width { options.width = width }
    options.legacyEncoding = encoding
    let store = try SQLiteFolderStore(url: URL(fileURLWithPath: arguments[2]))
    return FolderLibrary(URL(fileURLWithPath: arguments[1]), store: store, options: options)
}

/// The median time in milliseconds that a question takes, each asked as often as the others. A question of a small library takes less
/// than the clock and the scheduler cost, so the mean of two hundred is one time.
@concurrent
func ask(_ index: LiveLibraryIndex, rounds: Int, while isGoingOn: @Sendable () -> Bool = { true }) async throws
    -> Double
{
    var times: [Double] = []
    let commands = try Songs.questions.map { try LibraryCommand($0.0) }
    for _ in 0..<rounds where isGoingOn() {
        let repeats = 25
        let start = ContinuousClock.now
        for _ in 0..<repeats {
            for (command, question) in zip(commands, Songs.questions) {
                let resolution = await index.resolve(command)
                guard resolution.candidates.count >= question.1 else {
                    fail("\"\(question.0)\" found \(resolution.candidates.count)")
                }
            }
        }
        times.append(seconds(.now - start) * 1_000 / Double(repeats * commands.count))
        try await Task.sleep(for: .milliseconds(2))
    }
    guard !times.isEmpty else { fail("the scan was over before anything was asked") }
    times.sort()
    return times[times.count / 2]
}

/// How long the main thread is kept from what it wants to do every two milliseconds: the worst of all, by the clock and by the thread's
/// own processor time.
@MainActor
func beat(while isGoingOn: @Sendable () -> Bool) async throws -> (gap: Double, busy: Double) {
    var (gap, busy) = (0.0, 0.0)
    while isGoingOn() {
        var before = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &before)
        let start = ContinuousClock.now
        try await Task.sleep(for: .milliseconds(2))
        gap = max(gap, seconds(.now - start) * 1_000 - 2)
        var after = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &after)
        let used = Double(after.tv_sec - before.tv_sec) * 1_000 + Double(after.tv_nsec - before.tv_nsec) / 1e6
        busy = max(busy, used)
    }
    return (gap, busy)
}

let arguments = Array(CommandLine.arguments.dropFirst())
switch arguments.first {
case "make":
    guard arguments.count == 3, let count = Int(arguments[1]) else { fail("make COUNT FOLDER") }
    try Songs.make(count, in: URL(fileURLWithPath: arguments[2]))
case "scan":
    guard arguments.count == 3 else { fail("scan FOLDER STORE") }
    let library = try library(arguments, width: ProcessInfo.processInfo.activeProcessorCount)
    let before = ContinuousClock.now
    let events = library.scan()
    let call = seconds(.now - before)
    var summary = FolderScanEvent.Summary()
    for try await event in events {
        if case .failed(let failure) = event { fail(failure.message) }
        if case .ended(let result) = event { summary = result }
    }
    try say([
        "callMilliseconds": call * 1_000, "seconds": summary.seconds, "files": Double(summary.files),
        "read": Double(summary.read), "items": Double(await library.index.count), "peakMB": peakMemory(),
    ])
case "ask":
    guard arguments.count == 3 else { fail("ask FOLDER STORE") }
    let first = try library(arguments)
    let summary = try await scan(first)
    let idle = try await ask(first.index, rounds: 60)
    // The same without a run: a machine with other work to do takes the thread away too.
    let end = ContinuousClock.now + .seconds(5)
    let (quiet, _) = try await beat { .now < end }
    final class Flag: Sendable {
        let value = Mutex(false)
    }
    // What a run does to the main thread it does in each. What the machine does once is not in all of them: of the worst gaps the
    // smallest counts, and of the rest the worst.
    var (during, longest, gap, busy) = (0.0, 0.0, Double.infinity, 0.0)
    for _ in 0..<3 {
        // Another store has every file read anew; what is found is the same, and goes into the index that is asked.
        let store = MemoryFolderStore()
        let again = FolderLibrary(first.folder, store: store, index: first.index)
        let flag = Flag()
        let running = Task { @concurrent in
            let summary = try await scan(again)
            flag.value.withLock { $0 = true }
            return summary
        }
        let beating = Task { @MainActor in try await beat { !flag.value.withLock { $0 } } }
        during = max(during, try await ask(first.index, rounds: 10_000) { !flag.value.withLock { $0 } })
        longest = max(longest, try await running.value.seconds)
        let beats = try await beating.value
        (gap, busy) = (min(gap, beats.gap), max(busy, beats.busy))
    }
    try say([
        "idleMilliseconds": idle, "duringMilliseconds": during, "files": Double(summary.files), "runSeconds": longest,
        "mainGapMilliseconds": gap, "mainIdleGapMilliseconds": quiet, "mainBusyMilliseconds": busy,
        "peakMB": peakMemory(),
    ])
default:
    fail("make, scan or ask")
}
