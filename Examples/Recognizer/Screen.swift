import EarshotClient
import EarshotCore
import EarshotRecognition

/// What the app shows: a value that events change and that is drawn as lines.
struct Screen: Sendable {
    /// What happens.
    enum Event: Sendable {
        /// An operation begins.
        case began(Job)
        /// It has come so far.
        case status(OperationStatus)
        /// Somebody wants no more of it.
        case cancelled
        /// It has come to its end.
        case finished(Result<SearchResult, EarshotError>)
        /// A fingerprint was made and is kept.
        case fingerprint(Result<FingerprintResult, EarshotError>)
        /// A cover was loaded for a result.
        case cover(Int, bytes: Int, mimeType: String)
        /// The user says what was sought after a failure.
        case sought(HelpHints.Sought)
        /// The user agrees that a failure is reported.
        case reported
        /// Time passes while the service is asked.
        case tick
        /// A key is pressed. Those that the screen does not offer do nothing.
        case pressed(Key)
        /// The demonstration goes on.
        case step
        /// Results are put together by something, or not any more.
        case group(MatchGroups.Kind?)
        /// Only results of a genre are shown, or all again.
        case only(genre: String?)
    }

    /// A key, and what it does.
    enum Key: Character, Sendable, CaseIterable {
        case help = "h"
        case demonstration = "d"
        case back = "b"
        case group = "g"
        case again = "r"
        case end = "q"

        /// What it does, on the line of keys.
        var name: String {
            switch self {
            case .help: "help"
            case .demonstration: "demonstration"
            case .back: "back"
            case .group: "group"
            case .again: "try again"
            case .end: "end"
            }
        }
    }

    /// What the user can begin.
    enum Job: String, Sendable, CaseIterable {
        case microphone, fingerprint, samples, file, files, text, lyrics, track, history

        /// Its name on the status line.
        var name: String {
            switch self {
            case .microphone: "Microphone"
            case .fingerprint: "Stored fingerprint"
            case .samples: "Stored samples"
            case .file: "File"
            case .files: "Files"
            case .text: "Text search"
            case .lyrics: "Lyric search"
            case .track: "Track"
            case .history: "History"
            }
        }

        /// Whether hints about recording help when nothing was found.
        var isHeard: Bool { self == .microphone || self == .samples || self == .fingerprint }
    }

    private(set) var job: Job?
    private(set) var status: OperationStatus?
    private(set) var isCancelling = false
    private(set) var result: SearchResult?
    private(set) var failure: EarshotError?
    private(set) var fingerprint: Fingerprint?
    private(set) var covers: [Int: String] = [:]
    private(set) var hints = HelpHints()
    private(set) var tip: HelpHints.Tip?
    private(set) var report: FailureReport?
    /// Help that lies over the screen. What happens meanwhile is not lost.
    private(set) var help: Help?
    /// What results are put together by.
    private(set) var grouping: MatchGroups.Kind?
    /// The identifier of the genre whose results are shown; nothing for all.
    private(set) var genre: String?
    /// How often the end of a recording was signalled by a tone.
    private(set) var tones = 0
    private var ticks = 0
    let language: String

    init(language: String = "en") {
        self.language = language
    }

    /// Whether another operation with the microphone may be begun.
    var canRecord: Bool { job != .microphone || isOver }
    /// Whether what was begun has come to its end.
    var isOver: Bool { result != nil || failure != nil || fingerprint != nil }
    /// Whether the request can be made again.
    var offersRetry: Bool { failure?.failureKind.offersRetry ?? false }

    /// The keys that do something now. Help is among them, whatever the screen shows.
    var keys: [Key] {
        switch help?.page {
        case .pictograms: return [.demonstration, .back]
        case .demonstration: return [.help, .back]
        case nil: break
        }
        var keys: [Key] = [.help, .demonstration]
        if let result, result.matches.count > 1 { keys.append(.group) }
        if offersRetry { keys.append(.again) }
        // What is under way is canceled, not left.
        if job == nil || isOver { keys.append(.end) }
        return keys
    }

    mutating func apply(_ event: Event) {
        switch event {
        case .began(let job):
            let before = self
            self = Screen(language: language)
            (hints, tones, help) = (before.hints, before.tones, before.help)
            (grouping, genre, self.job) = (before.grouping, before.genre, job)
        case .status(let status):
            // What still arrives of a canceled operation changes nothing.
            guard !isCancelling, job != nil, !isOver else { return }
            if status.percent == 100 { tones += 1 }
            self.status = status
        case .cancelled:
            guard job != nil, !isOver else { return }
            isCancelling = true
        case .finished(.success(let found)):
            (result, isCancelling) = (found, false)
            if found.matches.isEmpty, job?.isHeard == true { tip = hints.next() }
        case .finished(.failure(let error)): fail(error)
        case .fingerprint(.success(let made)): (fingerprint, isCancelling) = (made.fingerprint, false)
        case .fingerprint(.failure(let error)): fail(error)
        case .cover(let index, let bytes, let mimeType): covers[index] = "\(mimeType), \(bytes) bytes"
        case .sought(let sought): tip = hints.tip(for: sought)
        case .reported: report = failure.map { FailureReport($0) }
        case .tick: ticks += 1
        case .pressed(let key): if keys.contains(key) { press(key) }
        case .step: help?.goOn()
        case .group(let kind): grouping = kind
        case .only(let id): genre = id
        }
    }

    private mutating func press(_ key: Key) {
        switch key {
        case .help: help = Help(.pictograms)
        case .demonstration: help = Help(.demonstration)
        case .back: help = nil
        case .group:
            let kinds = MatchGroups.Kind.allCases
            let next = grouping.flatMap { kinds.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
            grouping = next < kinds.count ? kinds[next] : nil
        // For whoever began the operation.
        case .again, .end: break
        }
    }

    private mutating func fail(_ error: EarshotError) {
        (failure, isCancelling) = (error, false)
        guard error.failureKind != .cancelled, job?.isHeard == true else { return }
        tip = hints.next()
    }

    // MARK: - Drawing

    /// The screen, line by line.
    var lines: [String] {
        if let help { return help.lines }
        guard let job else {
            return ["Choose what to do: " + Job.allCases.map(\.name).joined(separator: ", ").lowercased() + "."]
        }
        if let failure { return failed(failure) }
        if let fingerprint { return ["\(job.name): made a \(fingerprint)"] }
        if isCancelling { return ["\(job.name): Canceling…"] }
        if let result { return [statusLine(job, result.matches.count)] + found(result) }
        return ["\(job.name): \(progress)"] + instructions
    }

    /// The keys, for the line below all others. A retry is offered above, where the failure is told.
    var keyLine: String {
        keys.filter { $0 != .again }.map { "[\($0.rawValue)] \($0.name)" }.joined(separator: "  ")
    }

    /// How much of a recording is done.
    static func bar(tenths: Int) -> String {
        String(repeating: "█", count: tenths) + String(repeating: "░", count: 10 - tenths)
    }

    private func statusLine(_ job: Job, _ count: Int) -> String {
        "\(job.name): \(count) \(count == 1 ? "match" : "matches")"
    }

    private var progress: String {
        switch status?.phase {
        case .recording:
            return Self.bar(tenths: (status?.percent ?? 0) / 10)
        case .querying: return "asking the service \(Array("|/-\\")[ticks % 4])"
        case .fingerprinting: return "listening closely"
        case .done, nil: return "…"
        }
    }

    private var instructions: [String] {
        guard job == .microphone, status == nil || status?.phase == .recording else { return [] }
        return ["  )))  [device]   " + HelpHints.Tip.holdTowardsSource.text]
    }

    private func found(_ result: SearchResult) -> [String] {
        guard !result.matches.isEmpty else {
            guard let tip else { return ["Nothing was found."] }
            let usage = tip == .holdTowardsSource ? [] : [HelpHints.Tip.holdTowardsSource.text]
            return ["Nothing was found. Try again: " + tip.text] + usage
        }
        let places = MatchGroups.places(result.matches, only: genre)
        let hidden = result.matches.count - places.count
        let rest = hidden == 0 ? [] : ["  \(hidden) of other genres"]
        guard let grouping else { return places.flatMap { lines(of: result.matches[$0], at: $0) } + rest }
        let groups = MatchGroups(result.matches, by: grouping, only: genre).groups
        return groups.flatMap { group in
            ["  \(group.name):"] + group.places.flatMap { lines(of: result.matches[$0], at: $0) }
        } + rest
    }

    private func lines(of match: MusicMatch, at index: Int) -> [String] {
        let name = [match.artist.name, match.track.title ?? match.album.title].compactMap(\.self).joined(
            separator: " — "
        )
        let album = match.track.title == nil ? nil : match.album.title
        let line = "  \(index + 1)  \(name)" + (album.map { "  (\($0))" } ?? "")
        return [line] + (covers[index].map { ["     cover: \($0)"] } ?? [])
    }

    private func failed(_ error: EarshotError) -> [String] {
        // The message of an error is for technical staff; users are told by its kind.
        var lines = [error.failureKind.text(language: language)]
        if offersRetry { lines.append("[r] try again") }
        if let tip { lines.append(tip.text) }
        if let report { lines.append("Reported: \(report.kind.rawValue) (\(report.code))") }
        return lines
    }
}
