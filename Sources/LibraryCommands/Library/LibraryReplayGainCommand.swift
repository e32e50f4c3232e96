import ArgumentParser
import CommandKit
import EarshotAlbums
import EarshotAnalysis
import EarshotCore
import EarshotMedia
import EarshotTags
import Foundation

struct LibraryReplayGainCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replaygain",
        abstract: "Measure how loud music is, and write it into its tags, so that players play all of it equally loud.",
        discussion: """
            Loudness is that of EBU R 128; players bring it to -18 LUFS (ReplayGain 2), and Opus to -23 LUFS with tags of its own. The files of \
            one folder with the same album in their tags are an album. Files that have the tags already are left as they are, unless \
            --again is given. The sound itself stays as it is, and `earshot library undo` takes the tags back.

            EXAMPLES
              earshot library replaygain ~/Music
              earshot library replaygain album/ --dry-run
            """
    )

    @Argument(help: "Files and folders.", completion: .file())
    var inputs: [String]

    @Flag(name: .long, help: "Measure, show, and write nothing.")
    var dryRun = false

    @Flag(name: .long, help: "Also files that have the tags already.")
    var again = false

    @Flag(name: .long, help: "Only the tracks by themselves, and no albums.")
    var tracksOnly = false

    @Option(name: .shortAndLong, help: "Albums at a time; as many as there are processors unless stated.")
    var jobs: Int?

    @OptionGroup var output: OutputOptions

    func validate() throws {
        if let jobs, jobs < 1 { throw ValidationError("--jobs must be at least 1.") }
    }

    /// The outcome for a file, for programs.
    private struct Line: Encodable {
        let file: String
        var trackGain, trackPeak, albumGain, albumPeak: Double?
        var isWritten = false
    }

    private struct Document: Encodable {
        let files: [Line]
        let skipped: Int
        let failed: [LibraryReport.Failure]
        let journal: String?
    }

    func run() async throws {
        let found = try MusicFiles(inputs)
        var failed = found.failures.map { LibraryReport.Failure(file: $0.file, code: $0.code, message: $0.message) }
        let (albums, skipped) = await group(found.files.map(\.url), &failed)
        let measured = try await measure(albums)
        var (changes, lines): ([TagWriter.Change], [Line]) = ([], [])
        for (files, loudness) in zip(albums, measured) {
            let album = tracksOnly ? nil : loudness.album
            for (file, track) in zip(files, loudness.tracks) {
                switch track.loudness {
                case .failure(let error):
                    failed.append(
                        LibraryReport.Failure(file: track.url.path, code: error.code.rawValue, message: error.message)
                    )
                case .success(let loudness):
                    changes.append(try change(file, loudness, album))
                    lines.append(
                        Line(
                            file: track.url.path,
                            trackGain: loudness.replayGain,
                            trackPeak: loudness.replayGainPeak,
                            albumGain: album?.replayGain,
                            albumPeak: album?.replayGainPeak
                        )
                    )
                }
            }
        }
        let journal = dryRun || changes.isEmpty ? nil : try LibraryJournals.new()
        if let journal {
            let writer = TagWriter(journal: try await TagJournal.open(journal))
            for (index, outcome) in (await writer.write(changes) { _ in }).enumerated() {
                lines[index].isWritten = outcome.error == nil
                guard let error = outcome.error else { continue }
                failed.append(
                    LibraryReport.Failure(file: outcome.url.path, code: error.code.rawValue, message: error.message)
                )
            }
        }
        try tell(Document(files: lines, skipped: skipped, failed: failed, journal: journal?.path))
        if !failed.isEmpty { throw ExitCode(1) }
    }

    /// Files that belong together, and how many have the tags already.
    private func group(_ files: [URL], _ failed: inout [LibraryReport.Failure]) async -> ([[TagFile]], skipped: Int) {
        var albums: [[String]: [TagFile]] = [:]
        var skipped = 0
        for url in files {
            do throws(EarshotError) {
                let tags = try await TagFile.load(url)
                let name = tags.container == .oggOpus ? "R128_TRACK_GAIN" : "REPLAYGAIN_TRACK_GAIN"
                if !again, !tags[name].isEmpty {
                    skipped += 1
                    continue
                }
                // A folder of loose files is no album.
                let album = tags["ALBUM"].first ?? url.lastPathComponent
                albums[[url.deletingLastPathComponent().path, album], default: []].append(tags)
            } catch {
                failed.append(LibraryReport.Failure(file: url.path, code: error.code.rawValue, message: error.message))
            }
        }
        return (albums.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map(\.value), skipped)
    }

    private func measure(_ albums: [[TagFile]]) async throws -> [AlbumLoudness] {
        let bar = ProgressBar(total: albums.reduce(0) { $0 + $1.count })
        defer { bar.finish() }
        var measured: [Int: AlbumLoudness] = [:]
        try await withThrowingTaskGroup(of: (Int, AlbumLoudness).self) { group in
            var rest = albums.enumerated().makeIterator()
            func add() {
                guard let (index, files) = rest.next() else { return }
                let urls = files.map(\.url)
                group.addTask { (index, try await Self.measure(urls, bar)) }
            }
            for _ in 0..<(jobs ?? ProcessInfo.processInfo.activeProcessorCount) { add() }
            while let (index, loudness) = try await group.next() {
                measured[index] = loudness
                add()
            }
        }
        return albums.indices.compactMap { measured[$0] }
    }

    private static func measure(_ files: [URL], _ bar: ProgressBar) async throws -> AlbumLoudness {
        try await AlbumLoudness.measure(files) { _, seconds in bar.step(audioSeconds: seconds) }
    }

    private func change(_ file: TagFile, _ loudness: Loudness, _ album: Loudness?) throws -> TagWriter.Change {
        var edit = TagEdit()
        let tags =
            file.container == .oggOpus ? loudness.r128Tags(album: album) : loudness.replayGainTags(album: album)
        for (name, value) in tags.sorted(by: { $0.key < $1.key }) { try edit.set(name, to: value) }
        return TagWriter.Change(file: file.url, edit: edit, state: file.state)
    }

    private func tell(_ document: Document) throws {
        if output.json { return Terminal.print(try JSON.document(document)) }
        if output.jsonl {
            for line in document.files { Terminal.print(try JSON.line(line)) }
            return
        }
        for line in document.files {
            func decibels(_ value: Double?) -> String { value.map { String(format: "%+6.2f dB", $0) } ?? "   silent" }
            Terminal.print(
                "track \(decibels(line.trackGain))  album \(decibels(line.albumGain))  \(Terminal.shown(line.file))"
            )
        }
        for failure in document.failed { Terminal.printError(failure.message) }
        let written = document.files.count(where: \.isWritten)
        var counts = [dryRun ? "\(document.files.count) measured" : "\(written) written"]
        if document.skipped > 0 { counts.append("\(document.skipped) had the tags already") }
        if !document.failed.isEmpty { counts.append("\(document.failed.count) failed") }
        Terminal.note(counts.joined(separator: ", ") + (written > 0 ? "; `earshot library undo` takes it back" : ""))
    }
}
