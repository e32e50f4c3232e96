import ArgumentParser
import CommandKit
import Earshot
import Foundation

struct SyncCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync",
        abstract: "Align two recordings of one event: their offset, and the drift of their clocks.",
        discussion: """
            Says when the second recording begins on the timeline of the first, to a fraction of a millisecond, and how \
            much faster or slower its clock counts. The recordings may differ in device, room, format and noise; they \
            have to share some seconds of the same sound. Both are read more than once, so neither can be standard input.

            --apply writes the second recording as it lies on the timeline of the first: silence before it, or its \
            begin cut off, and its clock corrected. --plot draws what every block of it says.

            EXAMPLES
              earshot sync camera.mp4 recorder.wav
              earshot sync camera.mp4 recorder.wav --json
              earshot sync camera.mp4 recorder.wav --apply aligned.wav --plot sync.png

            Exit status 3: the two share nothing.
            """
    )

    @Argument(help: "The recording whose timeline holds.", completion: .file())
    var reference: String

    @Argument(help: "The recording that is laid on it.", completion: .file())
    var recording: String

    @Flag(name: .long, help: "Print one JSON object.")
    var json = false

    @Option(
        name: .long,
        help: "Draw what the blocks say: .png or .svg.",
        completion: .file(extensions: ["png", "svg"])
    )
    var plot: String?

    @Option(name: .long, help: "Write the second recording, aligned, as WAV.", completion: .file(extensions: ["wav"]))
    var apply: String?

    @Flag(name: .long, help: "Replace existing outputs.")
    var replace = false

    @Option(name: .long, help: "Width of a PNG in pixels; the height follows.")
    var width = 1600

    func validate() throws {
        if let plot, !["png", "svg"].contains(Self.suffix(plot)) {
            throw ValidationError("The picture must end in .png or .svg, and \"\(plot)\" does not.")
        }
        if let apply, Self.suffix(apply) != "wav" {
            throw ValidationError("The aligned recording must end in .wav, and \"\(apply)\" does not.")
        }
        guard (200...8000).contains(width) else { throw ValidationError("--width must be 200 to 8000 pixels.") }
        for name in [reference, recording] where name == "-" || name.hasPrefix("pipe:") {
            throw ValidationError("Both recordings are read more than once: write what comes on \(name) to a file.")
        }
        if plot != nil, plot == apply { throw ValidationError("The picture and the recording are one file.") }
    }

    private static func suffix(_ path: String) -> String {
        URL(fileURLWithPath: path).pathExtension.lowercased()
    }

    func run() async throws {
        for path in [plot, apply].compactMap({ $0 }) where !replace && FileManager.default.fileExists(atPath: path) {
            throw AtomicFile.exists(URL(fileURLWithPath: path))
        }
        let search = try await AlignmentSearch(reference: reference, recording: recording)
        let alignment = try await search.run()
        let report = SyncReport(search, alignment)
        if json { Terminal.print(try JSON.document(report)) } else { report.print() }
        guard let alignment else { throw ExitCode(3) }
        if let plot {
            let picture = SyncPlot(alignment, report: report)
            let bytes = Self.suffix(plot) == "svg" ? picture.svg() : try picture.png(width: width)
            try AtomicFile.write(bytes, to: URL(fileURLWithPath: plot), replacing: replace)
        }
        if let apply {
            try await AlignedWave.write(
                search.recording,
                on: alignment.line,
                to: URL(fileURLWithPath: apply),
                replacing: replace
            )
        }
    }
}
