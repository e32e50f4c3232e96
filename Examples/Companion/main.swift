import Earshot
import Foundation

// Follows an educational video by ear: says which episode is heard, and shows its questions when it asks them.
//
//     Companion CATALOG [--device NAME | --file FILE --paced] [--jsonl]
//
// Without a device it is the default microphone; a file is heard at its own pace.

extension MediaItemKey {
    // What this app wants to know about an episode, beside the predefined keys.
    static let teacher: MediaItemKey = "teacher"
    static let episode: MediaItemKey = "episode"
}

extension MediaItem {
    var details: String {
        "episode \(self[.episode]?.integer ?? 0): \(title ?? "untitled"), with \(self[.teacher]?.string ?? "nobody")"
    }
}

/// One line of output: for people, or as JSON for programs.
struct Line: Encodable {
    var event: String
    var reference: String?
    var position: Double?
    var entry: String?
    var part: String?
    var text: String?
    var time = (MediaClock.system.now - start).seconds

    @MainActor
    func say() {
        if isForPrograms, let data = try? JSONEncoder().encode(self) {
            FileHandle.standardOutput.write(data + Data("\n".utf8))
        } else if event != "heard" {
            let place = position.map { String(format: " at %.1f s", $0) } ?? ""
            let line = String(format: "%7.2f  ", time) + event + place + (text.map { ": \($0)" } ?? "") + "\n"
            FileHandle.standardOutput.write(Data(line.utf8))
        }
    }
}

/// What is to be seen, and where playback was last heard.
@MainActor
struct Screen {
    private var heard: MatchedMediaItem?
    private var (position, time) = (MediaTime.zero, MediaTime.zero)
    private var entry: TimedEntry?
    private var shown: Set<String> = []

    /// Says which episode is heard, and where.
    mutating func take(_ match: Match, _ changes: [MatchChange]) {
        guard let item = match.mediaItems.first else { return }
        let (position, now) = (item.predictedCurrentMatchOffset, MediaClock.system.now)
        let jump = (position - self.position) - (now - time)
        var line = Line(event: "heard", reference: item.match.id.rawValue, position: position.seconds)
        if heard?.match.id != item.match.id || changes.contains(.appeared) {
            (line.event, line.text) = ("episode", item.item.details)
        } else if abs(jump.seconds) > 0.5 {
            (line.event, line.text) = ("jump", String(format: "%+.1f s", jump.seconds))
        }
        line.say()
        (heard, self.position, time) = (item, position, now)
        // Going back within a question hides its later parts. A tenth of a second is a correction, and no going back.
        guard let entry else { return }
        let limit = position + MediaTime(value: 1, timescale: 10)
        for part in entry.parts.reversed() where part.start > limit && shown.remove(part.id) != nil {
            (line.event, line.entry, line.part, line.text) = ("hidden", entry.id, part.id, part.title)
            line.say()
        }
    }

    /// Shows what happens to the content of an episode.
    mutating func take(_ change: TimedContentScheduler.Event) {
        let position = heard?.predictedCurrentMatchOffset.seconds
        var line = Line(event: "", reference: change.id.rawValue, position: position, entry: change.event.entry.id)
        switch change.event {
        case .entered(let entry):
            (self.entry, shown) = (entry, [])
            (line.event, line.text) = ("question", entry.title)
        case .partShown(_, let part):
            shown.insert(part.id)
            (line.event, line.part, line.text) = ("part", part.id, part.title)
        case .answerOpened: line.event = "answer now"
        case .answerClosed: line.event = "time is up"
        case .left: (entry, line.event) = (nil, "over")
        case .upcoming: return
        }
        line.say()
    }
}

@MainActor
func follow(_ source: some AudioSource, in catalog: Catalog) async throws {
    // Every match is asked for, so that programs are told the position each second.
    let session = MatchSession(catalog: catalog, options: .init(repeats: .all))
    var screen = Screen()
    for try await event in session.liveEvents(from: source) {
        switch event {
        case .session(.matched(let match, let changes)): screen.take(match, changes)
        case .session(.lost(let match)): Line(event: "lost", reference: match.references.first?.id.rawValue).say()
        case .session(.failed(let error, _)): Line(event: "gap", text: error.message).say()
        case .session(.notMatched), .level: break
        case .content(let change): screen.take(change)
        }
    }
}

func stop(_ reason: String) -> Never {
    FileHandle.standardError.write(Data("Companion: \(reason)\n".utf8))
    exit(1)
}

let arguments = Array(CommandLine.arguments.dropFirst())
let isForPrograms = arguments.contains("--jsonl")
let start = MediaClock.system.now
let words = arguments.filter { $0 != "--jsonl" && $0 != "--paced" }
guard words.count == 1 || words.count == 3 && ["--device", "--file"].contains(words[1]) else {
    stop("usage: Companion CATALOG [--device NAME | --file FILE --paced] [--jsonl]")
}
do {
    let catalog = try Catalog(contentsOf: URL(fileURLWithPath: words[0]))
    try catalog.forEachReference { reference in
        for item in reference.items {
            Line(event: "available", reference: reference.id.rawValue, text: item.details).say()
        }
    }
    if words.count == 3, words[1] == "--file" {
        try await follow(PacedSource(try await AssetReader(URL(fileURLWithPath: words[2]))), in: catalog)
    } else {
        let devices = await CaptureDevice.all()
        let device = words.count == 3 ? devices.first { $0.id == words[2] || $0.name == words[2] } : nil
        if words.count == 3, device == nil {
            stop("there is no device \(words[2]), only: " + devices.map(\.id).joined(separator: ", "))
        }
        try await follow(try await CaptureSource(device), in: catalog)
    }
} catch {
    stop((error as? EarshotError)?.message ?? "\(error)")
}
