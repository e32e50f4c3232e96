import Earshot
import Foundation

// Prints the line of a song's lyrics that is sung now, and with enhanced LRC the words as they come.
//
//     Karaoke LYRICS.lrc SONG [--file FILE | --device NAME]
//
// SONG is the recording that the times of the lyrics belong to. What is heard may be another one of it: played from
// elsewhere, in noise, a little fast. Without a device it is the default microphone.
let arguments = Array(CommandLine.arguments.dropFirst())
guard arguments.count == 2 || arguments.count == 4 && ["--device", "--file"].contains(arguments[2]) else { exit(2) }
let (lyrics, song) = (URL(fileURLWithPath: arguments[0]), URL(fileURLWithPath: arguments[1]))

// The lyrics need not lie in the catalog: the follower is told which belong to which reference.
let timeline = try Timeline(data: Data(contentsOf: lyrics), name: lyrics.path)
var catalog = Catalog()
let item = MediaItem(try await Asset.load(song))
try catalog.add(try await SignatureGenerator.signature(from: AssetReader(song)), representing: [item], id: "song")

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
    let session = MatchSession(catalog: catalog)
    for try await event in session.liveEvents(
        from: source,
        content: TimedContentScheduler(timelines: ["song": timeline])
    ) {
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

if arguments.count == 4, arguments[2] == "--file" {
    try await sing(along: PacedSource(try await AssetReader(URL(fileURLWithPath: arguments[3]))))
} else if arguments.count == 4 {
    let device = await CaptureDevice.all().first { $0.id == arguments[3] || $0.name == arguments[3] }
    guard let device else { exit(1) }
    try await sing(along: try await CaptureSource(device))
} else {
    try await sing(along: try await CaptureSource())
}
