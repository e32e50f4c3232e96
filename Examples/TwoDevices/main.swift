import Earshot
import Foundation

// Two listeners hear the same playback, one of them from later on, and say where it is. They know nothing of each other.
//
//     TwoDevices CATALOG PLAYBACK [SECONDS]
//
// Here both are sessions of one program over the same file, so that one clock tells how far apart their answers are. Two
// devices are two programs with a microphone each; what is printed then holds besides for how well their clocks agree.
let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count >= 2 else { exit(2) }
let catalog = try Catalog(contentsOf: URL(fileURLWithPath: arguments[0]))
let playback = URL(fileURLWithPath: arguments[1])
let later = MediaTime(seconds: arguments.count > 2 ? Double(arguments[2]) ?? 0 : 3.7, preferredTimescale: 1_000)
let clock = MediaClock.system

/// Opens the playback from a time on.
@MainActor
func open(from time: MediaTime) async throws -> AssetReader {
    try await AssetReader(playback, options: .init(range: time..<MediaTime(value: 360_000, timescale: 1)))
}

/// Where a listener takes the playback to be, as soon as it knows.
actor Listener {
    private(set) var position: LivePosition?

    /// Listens to what is heard from an instant on.
    func listen(to reader: AssetReader, at instant: MediaTime) async throws {
        try await clock.sleep(until: instant)
        let session = MatchSession(catalog: catalog)
        for try await event in session.liveEvents(from: PacedSource(reader)) {
            if case .session(.matched(let match, _)) = event { position = match.mediaItems.first?.position }
        }
    }
}

// Opened beforehand: what that takes would count as a late start.
let (whole, rest) = (try await open(from: .zero), try await open(from: later))
let (first, second) = (Listener(), Listener())
let start = clock.now
let listening = Task {
    async let one: Void = first.listen(to: whole, at: start)
    async let two: Void = second.listen(to: rest, at: start + later)
    _ = try await (one, two)
}
let printing = Task {
    for number in 1... {
        try await clock.sleep(until: start + MediaTime(value: Int64(number), timescale: 1))
        guard let one = await first.position?.prediction, let two = await second.position?.prediction else { continue }
        let now = clock.now
        let (here, there) = (one.position(at: now).seconds, two.position(at: now).seconds)
        let text = String(
            format: "%6.1f s  first at %.3f s, second at %.3f s, apart by %+.1f ms\n",
            (now - start).seconds,
            here,
            there,
            (there - here) * 1_000
        )
        FileHandle.standardOutput.write(Data(text.utf8))
    }
}
try await listening.value
printing.cancel()
