import Earshot
import Foundation

// Prints the line of a song's lyrics that is sung now, and with enhanced LRC the words as they come.
//
//     Karaoke LYRICS.lrc SONG [--file FILE [--speed N] | --device NAME]
//
// SONG is the recording that the times of the lyrics belong to. What is heard may be another one of it: played from
// elsewhere, in noise, a little fast. Without a device it is the default microphone.
var arguments = Array(CommandLine.arguments.dropFirst())

@MainActor
func option(_ name: String) -> String? {
    guard let index = arguments.firstIndex(of: name), index + 1 < arguments.count else { return nil }
    defer { arguments.removeSubrange(index...index + 1) }
    return arguments[index + 1]
}

let deviceName = option("--device")
let file = option("--file")
let speed = option("--speed").flatMap(Double.init) ?? 1
guard arguments.count == 2, speed > 0 else { exit(2) }
let (lyrics, song) = (URL(fileURLWithPath: arguments[0]), URL(fileURLWithPath: arguments[1]))

// The lyrics need not lie in the catalog: the follower is told which belong to which reference.
let timeline = try Timeline(data: Data(contentsOf: lyrics), name: lyrics.path)
var catalog = Catalog()
let item = MediaItem(try await Asset.load(song))
try catalog.add(try await SignatureGenerator.signature(from: AssetReader(song)), representing: [item], id: "song")

// A file that is heard faster needs a clock that runs as fast.
let clock = MediaClock(
    read: { [speed] in MediaClock.system.now.scaled(byFraction: speed) },
    wait: { [speed] in try await MediaClock.system.sleep(until: $0.scaled(byFraction: 1 / speed)) }
)

/// A line of lyrics with the words in capitals that have been sung.
func highlighted(_ line: TimedEntry, until word: TimedPart) -> String {
    line.parts.map { part in
        let text = part.title ?? ""
        return part.start <= word.start ? text.uppercased() : text
    }
    .joined(separator: " ")
}

@MainActor
func sing(along source: some AudioSource) async throws {
    let session = MatchSession(catalog: catalog, options: .init(clock: clock))
    for try await event in session.liveEvents(from: source, content: ContentFollower(timelines: ["song": timeline])) {
        guard case .content(let change) = event else { continue }
        let text: String
        switch change.event {
        case .entered(let line): text = line.title
        case .partShown(let line, let word): text = "  " + highlighted(line, until: word)
        default: continue
        }
        FileHandle.standardOutput.write(Data((text + "\n").utf8))
    }
}

if let file {
    try await sing(along: PacedSource(try await AssetReader(URL(fileURLWithPath: file)), clock: clock))
} else {
    let device = await CaptureDevice.all().first { $0.id == deviceName || $0.name == deviceName }
    guard deviceName == nil || device != nil else { exit(1) }
    try await sing(along: try await CaptureSource(device))
}
