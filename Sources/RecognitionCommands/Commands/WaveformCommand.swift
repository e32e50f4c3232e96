import ArgumentParser
import CommandKit
import Earshot
import EarshotAnalysis
import EarshotCore
import EarshotMedia
import EarshotPlots
import Foundation

struct WaveformCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "waveform",
        abstract: "Draw what a recording looks like, or write it for waveform viewers.",
        discussion: """
            The suffix of the output chooses the form: .png and .svg are pictures; .json and .dat are what audiowaveform and \
            peaks.js read. Without an output it is drawn on the terminal.

            EXAMPLES
              earshot waveform song.flac
              earshot waveform song.flac -o song.png --width 1200 --height 200
              earshot waveform song.flac -o song.dat --frames 512 --bits 16
              earshot waveform song.flac --json --buckets 800
            """
    )

    @Argument(help: "A recording, or - for standard input.", completion: .file())
    var input: String

    @Option(name: .shortAndLong, help: "Write it here.", completion: .file(extensions: ["png", "svg", "json", "dat"]))
    var output: String?

    @Option(name: .long, help: "Width of a picture in pixels.")
    var width = 1600

    @Option(name: .long, help: "Height of a picture in pixels.")
    var height = 320

    @Option(name: .long, help: "What stands above a picture; without it the name of the file.")
    var title: String?

    @Flag(name: .long, help: "Draw the waveform alone, without title and times.")
    var bare = false

    @Option(name: .long, help: "Frames of a run in .json and .dat; more where the recording is very long.")
    var frames = 256

    @Option(name: .long, help: "At most so many runs in .json and .dat.")
    var buckets: Int?

    @Option(name: .long, help: "Bits of a sample in .json and .dat: 8 or 16.")
    var bits = 8

    @Flag(name: .long, help: "Each channel by itself.")
    var channels = false

    @Flag(name: .long, help: "Replace an existing output.")
    var replace = false

    @Flag(name: .long, help: "Print one JSON object, as in .json.")
    var json = false

    private var suffix: String? { output.map { URL(fileURLWithPath: $0).pathExtension.lowercased() } }

    func validate() throws {
        if let suffix, !["png", "svg", "json", "dat"].contains(suffix) {
            throw ValidationError("The output must end in .png, .svg, .json or .dat, and \"\(output ?? "")\" does not.")
        }
        guard (16...16_384).contains(width), (16...16_384).contains(height) else {
            throw ValidationError("--width and --height must be 16 to 16384 pixels.")
        }
        guard Waveform.Resolution(rawValue: bits) != nil else { throw ValidationError("--bits must be 8 or 16.") }
        guard frames >= 1 else { throw ValidationError("--frames must be at least 1.") }
        if bare, title != nil { throw ValidationError("Choose --title or --bare, not both.") }
        if let buckets, buckets < 1 { throw ValidationError("--buckets must be at least 1.") }
    }

    func run() async throws {
        let destination = output.map { URL(fileURLWithPath: $0) }
        if let destination, !replace, FileManager.default.fileExists(atPath: destination.path) {
            throw AtomicFile.exists(destination)
        }
        let whole = try await waveform()
        let made = channels ? whole : whole.mono
        let resolution = Waveform.Resolution(rawValue: bits) ?? .bits8
        let listed = buckets.map { made.fitted(to: $0) } ?? made
        let bytes: [UInt8]
        switch suffix {
        case "png": bytes = try picture(made).png()
        case "svg": bytes = picture(made).svg()
        case "dat": bytes = listed.dataFile(resolution)
        case "json": bytes = Array(try listed.json(resolution).utf8)
        default:
            if json {
                Terminal.print(try listed.json(resolution))
            } else {
                for line in WaveformText.lines(made, width: Terminal.width, height: 6) { Terminal.print(line) }
            }
            return
        }
        if let destination { try AtomicFile.write(bytes, to: destination, replacing: replace) }
        if json { Terminal.print(try listed.json(resolution)) }
    }

    private func picture(_ waveform: Waveform) -> WaveformPicture {
        let name = input == "-" ? "standard input" : Clip.url(input).lastPathComponent
        return WaveformPicture(waveform, title: bare ? nil : title ?? name, width: width, height: height)
    }

    private func waveform() async throws -> Waveform {
        let reader = try await Clip.reader(Clip.url(input))
        var maker = WaveformMaker(
            sampleRate: reader.format.sampleRate,
            channelCount: reader.format.channelCount,
            framesPerBucket: frames
        )
        for try await block in reader { maker.append(block.buffer) }
        return maker.waveform
    }
}
