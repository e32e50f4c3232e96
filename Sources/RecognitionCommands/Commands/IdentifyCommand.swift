import ArgumentParser
import CommandKit
import Earshot
import Foundation

struct IdentifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "identify",
        abstract: "Say what recordings are.",
        discussion: """
            A clip may be any file or address with audio, a signature (.earsig), or - for standard input. Clips of any \
            length are taken; one longer than 15 s is searched from end to end. `earshot tracklist` lists what a \
            long one is made of. Folders are searched to the bottom for audio; answers come in the order of the paths.

            With --server a recognition service is asked in place of a catalog, about the first 20 s of each clip; \
            --lang, --country and --cover say what it is to tell.

            EXAMPLES
              earshot identify clip.wav                         in your own catalog
              earshot identify clip.wav --catalog music.earcat
              earshot identify concert.mp4 --catalog music.earcat --all
              earshot identify recordings/ --catalog music.earcat --jobs 4 --jsonl
              ffmpeg -i http://… -t 10 -f wav - | earshot identify - --catalog music.earcat --json
              earshot identify clip.wav --server https://music.example --client 12345678-ABC…

            --json and --jsonl have an entry for each clip; that of a clip that fails has error, with code and message. \
            Docs/json.md describes them.

            Exit status 1: a clip could not be looked for. 3: everything could be read, and nothing matched.
            """
    )

    @Argument(help: "Recordings, and folders of them.", completion: .file())
    var clips: [String]

    @OptionGroup var catalog: CatalogOption

    @OptionGroup(title: "Service") var service: ServiceOptions

    @OptionGroup(title: "Service") var sending: SpectrogramOption

    @Option(name: [.customLong("lang"), .long], help: "With --server: name things in this language: jpn, de.")
    var language: String?

    @Option(name: .long, help: "With --server: name the genres of this country: JPN, DEU, USA.")
    var country: String?

    @Flag(name: .long, help: "With --server: tell the address of the cover.")
    var cover = false

    @Option(name: .shortAndLong, help: "Clips worked on at once (default: one a core; with --server one).")
    var jobs: Int?

    @Flag(name: .long, help: "Show every play in order of time, and other places that fit.")
    var all = false

    @Flag(name: .long, help: "Look once more beneath what was found, for second songs; takes longer.")
    var thorough = false

    @Flag(name: .long, help: "Add what signatures and standard input are to the history: `earshot history`.")
    var history = false

    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard catalog.path == nil || service.server == nil else {
            throw ValidationError("Choose --catalog or --server, not both.")
        }
        guard (jobs ?? 1) >= 1 else { throw ValidationError("--jobs must be at least 1.") }
        #if !Library
            if history { throw LeftOutFeature.error("--history", "Library") }
        #endif
        if history, asksService {
            throw ValidationError("The history is of what a catalog knows: give --catalog.")
        }
        guard !thorough || !asksService else {
            throw ValidationError("--thorough is of searches in a catalog: give --catalog.")
        }
        guard !sending.spectrograms || asksService else {
            throw ValidationError("--spectrograms is about what a service is sent: give --server.")
        }
        if history, let file = clips.first(where: { HistoryRecorder.operation(of: $0) == nil }) {
            throw ValidationError("\(file) is a file: the history is of signatures (.earsig) and standard input (-).")
        }
    }

    /// `true` if a service is asked: one that an option names, or that of the environment if no option names a catalog.
    private var asksService: Bool { service.server != nil || (catalog.path == nil && service.address != nil) }

    func run() async throws {
        if asksService { return try await runOnService() }
        let catalog = try self.catalog.open()
        let entries = ClipList(clips).entries
        // A single clip has a bar of its own.
        let hasBar = entries.count == 1
        try await identify(
            entries,
            jobs: jobs ?? ProcessInfo.processInfo.activeProcessorCount,
            CatalogIdentifier(catalog: catalog, givesAll: all, isThorough: thorough, hasBar: hasBar)
        )
    }

    /// Looks for every input, and prints the answers in the order of the inputs.
    ///
    /// - Throws: `ExitCode(1)` after the last when an input failed, `ExitCode(3)` when nothing matched.
    func identify(_ entries: [ClipList.Entry], jobs: Int, _ identifier: some ClipIdentifier) async throws {
        let bar = entries.count > 1 ? ProgressBar(total: entries.count) : nil
        defer { bar?.finish() }
        var records: [ClipRecord] = []
        var (hasFailed, hasMatched) = (false, false)
        try await OrderedWork.run(entries, jobs: jobs) { entry in
            let answer = try await Answer(entry, identifier)
            bar?.step(audioSeconds: answer.duration.seconds)
            return answer
        } take: { answer in
            bar?.clear()
            switch answer.result {
            case .success(let found):
                if !found.matches.isEmpty { hasMatched = true }
                if history { try await HistoryRecorder.add(found.best, of: answer.clip, at: answer.began) }
            case .failure(let error):
                hasFailed = true
                Terminal.printError(DisplayText.failure(of: answer.clip, error.message))
            }
            if output.jsonl {
                Terminal.print(try JSON.line(answer.record.line))
            } else if output.json {
                records.append(answer.record)
            } else {
                answer.print(all: all)
            }
        }
        if output.json { Terminal.print(try JSON.document(ClipDocument(clips: records))) }
        if hasFailed { throw ExitCode(1) }
        if !hasMatched { throw ExitCode(3) }
    }
}
