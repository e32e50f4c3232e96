import Earshot
import Foundation

// Follows an educational video by ear: says which episode is heard, and shows its questions when it asks them.
//
//     Companion CATALOG [--device NAME | --file FILE [--speed N]] [--jsonl]
//
// Without a device it is the default microphone. A file is heard at its pace, or N times as fast.

/// What the app wants to know about an episode, beside the predefined keys.
extension MediaItemKey {
    static let teacher: MediaItemKey = "teacher"
    static let episode: MediaItemKey = "episode"
}

extension MediaItem {
    var details: String {
        "episode \(self[.episode]?.integer ?? 0): \(title ?? "untitled"), with \(self[.teacher]?.string ?? "nobody")"
    }
}

var arguments = Array(CommandLine.arguments.dropFirst())

/// Takes an option and its value out of the arguments.
@MainActor
func option(_ name: String) -> String? {
    guard let index = arguments.firstIndex(of: name), index + 1 < arguments.count else { return nil }
    defer { arguments.removeSubrange(index...index + 1) }
    return arguments[index + 1]
}

func stop(_ reason: String) -> Never {
    FileHandle.standardError.write(Data("Companion: \(reason)\n".utf8))
    exit(1)
}

let deviceName = option("--device")
let file = option("--file")
let speed = option("--speed").map { Double($0) ?? 0 } ?? 1
let isForPrograms = arguments.contains("--jsonl")
arguments.removeAll { $0 == "--jsonl" || $0 == "--paced" }
guard arguments.count == 1, !arguments[0].hasPrefix("--"), speed > 0 else {
    stop("usage: Companion CATALOG [--device NAME | --file FILE [--paced | --speed N]] [--jsonl]")
}

// A file that is heard faster needs a clock that runs as fast: positions are predicted by it.
let clock = MediaClock(
    read: { [speed] in MediaClock.system.now.scaled(byFraction: speed) },
    wait: { [speed] in try await MediaClock.system.sleep(until: $0.scaled(byFraction: 1 / speed)) }
)
let start = clock.now

/// One line of output.
struct Line: Encodable {
    var time = 0.0
    var event: String
    var reference: String?
    var position: Double?
    var entry: String?
    var part: String?
    var text: String?
}

@MainActor
func say(_ line: Line, isForPeople: Bool = true) {
    var line = line
    line.time = (clock.now - start).seconds
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    if isForPrograms, let data = try? encoder.encode(line) {
        FileHandle.standardOutput.write(data + Data("\n".utf8))
    } else if !isForPrograms, isForPeople {
        let place = line.position.map { String(format: " at %.1f s", $0) } ?? ""
        let text = line.text.map { ": \($0)" } ?? ""
        FileHandle.standardOutput.write(
            Data((String(format: "%7.2f  ", line.time) + line.event + place + text + "\n").utf8)
        )
    }
}

/// What is to be seen, and where playback was last known to be.
struct Screen {
    var heard: MatchedMediaItem?
    var position = MediaTime.zero
    var time = MediaTime.zero
    var entry: TimedEntry?
    var parts = 0
}

/// Shows what a source plays, until it ends.
@MainActor
func follow(_ source: some AudioSource, in catalog: Catalog) async throws {
    // Every match is asked for, so that programs are told the position each second.
    let session = MatchSession(catalog: catalog, options: .init(repeats: .all, clock: clock))
    var screen = Screen()
    for try await event in session.liveEvents(from: source) {
        switch event {
        case .session(.matched(let match, let changes)): take(match, changes, on: &screen)
        case .session(.lost(let match)):
            say(Line(event: "lost", reference: match.references.first?.id.rawValue))
        case .session(.failed(let error, _)): say(Line(event: "gap", text: error.message))
        case .session(.notMatched), .level: break
        case .content(let change): show(change, on: &screen)
        }
    }
}

/// Says which episode is heard, and where.
@MainActor
func take(_ match: Match, _ changes: [MatchChange], on screen: inout Screen) {
    guard let item = match.mediaItems.first else { return }
    let (id, position, now) = (item.match.id.rawValue, item.predictedCurrentMatchOffset, clock.now)
    let jump = (position - screen.position) - (now - screen.time)
    if screen.heard?.match.id != item.match.id || changes.first == .appeared {
        say(Line(event: "episode", reference: id, position: position.seconds, text: item.item.details))
    } else if abs(jump.seconds) > 0.5 {
        let text = String(format: "%+.1f s", jump.seconds)
        say(Line(event: "jump", reference: id, position: position.seconds, text: text))
    } else {
        let isBack = changes.first == .returned
        say(Line(event: "heard", reference: id, position: position.seconds), isForPeople: isBack)
    }
    (screen.heard, screen.position, screen.time) = (item, position, now)
    // After going back within a question its later parts are not to be seen any more. A tenth of a second is no going back.
    guard let entry = screen.entry else { return }
    let parts = entry.shownParts(at: position + MediaTime(value: 1, timescale: 10))
    for part in entry.parts.prefix(screen.parts).dropFirst(parts.count).reversed() {
        say(Line(event: "hidden", reference: id, position: position.seconds, entry: entry.id, part: part.id, text: part.title))
    }
    screen.parts = min(screen.parts, parts.count)
}

/// Shows what happens to the content of an episode.
@MainActor
func show(_ change: ContentFollower.Event, on screen: inout Screen) {
    let position = screen.heard?.predictedCurrentMatchOffset.seconds
    var line = Line(event: "", reference: change.id.rawValue, position: position, entry: change.event.entry.id)
    switch change.event {
    case .entered(let entry):
        (screen.entry, screen.parts) = (entry, 0)
        (line.event, line.text) = ("question", entry.title)
    case .partShown(_, let part):
        screen.parts += 1
        (line.event, line.part, line.text) = ("part", part.id, part.title ?? part.id)
    case .answerOpened: line.event = "answer now"
    case .answerClosed: line.event = "time is up"
    case .left:
        screen.entry = nil
        line.event = "over"
    case .upcoming: return
    }
    say(line)
}

do {
    let catalog = try Catalog(contentsOf: URL(fileURLWithPath: arguments[0]))
    try catalog.forEachReference { reference in
        for item in reference.items { say(Line(event: "available", reference: reference.id.rawValue, text: item.details)) }
    }
    if let file {
        let reader = try await AssetReader(URL(fileURLWithPath: file))
        try await follow(PacedSource(reader, clock: clock), in: catalog)
    } else {
        let devices = await CaptureDevice.all()
        let device = devices.first { $0.id == deviceName || $0.name == deviceName }
        if let deviceName, device == nil {
            stop("there is no device \(deviceName). There are: " + devices.map(\.id).joined(separator: ", "))
        }
        try await follow(try await CaptureSource(device), in: catalog)
    }
} catch {
    stop((error as? EarshotError)?.message ?? "\(error)")
}
