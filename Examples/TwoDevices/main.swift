import Earshot
import Foundation

// Two listeners hear the same playback, one of them from later on, and say where it is. They know nothing of each other.
//
//     TwoDevices CATALOG PLAYBACK [--later SECONDS] [--speed N]
//
// Here both are sessions of one program over the same file, so that one clock tells how far apart their answers are. Two
// devices are two programs with a microphone each; what is printed then holds besides for how well their clocks agree.
var arguments = Array(CommandLine.arguments.dropFirst())

@MainActor
func option(_ name: String) -> String? {
    guard let index = arguments.firstIndex(of: name), index + 1 < arguments.count else { return nil }
    defer { arguments.removeSubrange(index...index + 1) }
    return arguments[index + 1]
}

let later = MediaTime(seconds: option("--later").flatMap(Double.init) ?? 3.7, preferredTimescale: 1_000)
let speed = option("--speed").flatMap(Double.init) ?? 1
guard arguments.count == 2, speed > 0, later >= .zero else { exit(2) }
let catalog = try Catalog(contentsOf: URL(fileURLWithPath: arguments[0]))
let playback = URL(fileURLWithPath: arguments[1])

// A file that is heard faster needs a clock that runs as fast.
let clock = MediaClock(
    read: { [speed] in MediaClock.system.now.scaled(byFraction: speed) },
    wait: { [speed] in try await MediaClock.system.sleep(until: $0.scaled(byFraction: 1 / speed)) }
)
let start = clock.now

/// Where a listener takes the playback to be, as soon as it knows.
actor Listener {
    private(set) var position: LivePosition?

    /// Listens to the playback from a time on, at which it is heard.
    func listen(from time: MediaTime) async throws {
        try await clock.sleep(until: start + time)
        let options = AssetReader.Options(range: time..<MediaTime(value: 360_000, timescale: 1))
        let source = PacedSource(try await AssetReader(playback, options: options), clock: clock)
        for try await event in MatchSession(catalog: catalog, options: .init(clock: clock)).liveEvents(from: source) {
            if case .session(.matched(let match, _)) = event { position = match.mediaItems.first?.position }
        }
    }
}

let (first, second) = (Listener(), Listener())
let listening = Task {
    async let one: Void = first.listen(from: .zero)
    async let two: Void = second.listen(from: later)
    _ = try await (one, two)
}
let printing = Task {
    for second_ in 1... {
        try await clock.sleep(until: start + MediaTime(value: Int64(second_), timescale: 1))
        let now = clock.now
        guard let one = await first.position?.prediction, let two = await second.position?.prediction else { continue }
        let (here, there) = (one.position(at: now).seconds, two.position(at: now).seconds)
        let line = String(format: "%6.1f s  first at %.3f s, second at %.3f s, apart by %+.1f ms\n",
            (now - start).seconds, here, there, (there - here) * 1_000)
        FileHandle.standardOutput.write(Data(line.utf8))
    }
}
try await listening.value
printing.cancel()
