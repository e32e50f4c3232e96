import ArgumentParser
import CommandKit
import Earshot
import EarshotCatalogs
import Foundation

struct TracklistCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tracklist",
        abstract: "List what is heard in a long recording, from its beginning to its end.",
        discussion: """
            For radio programmes, mixes, concerts and films. Plays may overlap: music under speech, one song faded into \
            the next. Where nothing was found for 5 s or more the list says "unknown".

            The list is printed, or written to the files named with -o: .txt, .cue, .json or .csv. A cue sheet has one \
            track at a time; plays inside longer ones are left out of it. --timeline draws a picture, .png or .svg.

            EXAMPLES
              earshot tracklist mix.flac --catalog music.earcat
              earshot tracklist mix.flac --catalog music.earcat -o mix.cue -o mix.json --timeline mix.png
              earshot tracklist radio.mp3 --catalog music.earcat --format csv

            Exit status 3: the recording could be read, and nothing matched.
            """
    )

    @Argument(help: "A recording, a signature (.earsig), or - for standard input.", completion: .file())
    var mix: String

    @OptionGroup var catalog: CatalogOption

    @Option(name: .long, help: "The form of what is printed, and of files with another suffix: text, cue, json or csv.")
    var format: TracklistFormat?

    @Flag(name: .long, help: "Print one JSON object: --format json.")
    var json = false

    @Option(
        name: .shortAndLong,
        help: "Write the list here, in the form of the suffix; may be given several times.",
        completion: .file(extensions: ["txt", "cue", "json", "csv"])
    )
    var output: [String] = []

    @Option(name: .long, help: "Draw a picture of it here.", completion: .file(extensions: ["png", "svg"]))
    var timeline: String?

    @Option(name: .long, help: "Width of a PNG in pixels; the height follows.")
    var width = 1600

    @Flag(name: .long, help: "Look once more beneath what was found, for second songs; takes longer.")
    var thorough = false

    @Flag(name: .long, help: "Replace existing outputs.")
    var replace = false

    func validate() throws {
        if json, format ?? .json != .json { throw ValidationError("Choose --json or --format, not both.") }
        for path in output where format == nil && TracklistFormat(suffixOf: path) == nil {
            throw ValidationError(
                "\"\(path)\" ends in none of .txt, .cue, .json and .csv: name its form with --format."
            )
        }
        guard timeline.map({ ["png", "svg"].contains(Self.suffix($0)) }) ?? true else {
            throw ValidationError("The timeline must end in .png or .svg, and \"\(timeline ?? "")\" does not.")
        }
        guard (200...8000).contains(width) else { throw ValidationError("--width must be 200 to 8000 pixels.") }
        let all = output + [timeline].compactMap { $0 }
        guard Set(all).count == all.count else { throw ValidationError("Two outputs have the same name.") }
    }

    private static func suffix(_ path: String) -> String { URL(fileURLWithPath: path).pathExtension.lowercased() }

    func run() async throws {
        for path in output + [timeline].compactMap({ $0 }) where !replace {
            // Better now than after an hour's work.
            if FileManager.default.fileExists(atPath: path) { throw AtomicFile.exists(URL(fileURLWithPath: path)) }
        }
        let catalog = try self.catalog.open()
        let format = json ? .json : format
        let list: Tracklist
        do {
            list = try await self.list(catalog)
        } catch let error as EarshotError where format == .json && output.isEmpty && error.code != .cancelled {
            Terminal.print(try JSON.document(Tracklist.Record(clip: mix, error: ErrorRecord(error))))
            throw error
        }
        for path in output {
            let form = TracklistFormat(suffixOf: path) ?? format ?? .text
            try write(Array(try form.text(of: list).utf8), to: path)
        }
        if let timeline {
            let plot = TimelinePlot(list)
            try write(Self.suffix(timeline) == "svg" ? plot.svg() : try plot.png(width: width), to: timeline)
        }
        if let format, output.isEmpty || output.allSatisfy({ TracklistFormat(suffixOf: $0) != nil }) {
            Terminal.write(try format.text(of: list), to: .standardOutput)
        } else if output.isEmpty {
            Terminal.write(list.text(isStyled: true), to: .standardOutput)
        }
        if list.entries.isEmpty { throw ExitCode(3) }
    }

    private func list(_ catalog: Catalog) async throws -> Tracklist {
        let audio = try await Clip.audio(mix, spectrogram: .all, onCut: RecordingSearch.noteCut)
        let signature = try audio.recognizable(named: mix, atLeast: catalog.queryLimits.minimum)
        let plays = try RecordingSearch.plays(in: signature, named: mix, catalog: catalog, isThorough: thorough)
        return Tracklist(recording: mix, duration: signature.duration, plays: plays)
    }

    private func write(_ bytes: [UInt8], to path: String) throws {
        try AtomicFile.write(bytes, to: URL(fileURLWithPath: path), replacing: replace)
    }
}
