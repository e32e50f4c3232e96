import ArgumentParser
import CommandKit
import Earshot
import Foundation

struct ProbeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "probe",
        abstract: "Say what a file is: container, streams, duration, tags, chapters, picture.",
        discussion: """
            EXAMPLES
              earshot probe song.mp3
              earshot probe --json film.mkv
              earshot probe --measure album/*.ogg
            """
    )

    @Argument(help: "Files or addresses.", completion: .file())
    var files: [String]

    @Flag(
        name: .long,
        help: "Decode the sound too, and say how long it is and by how much that differs from the duration."
    )
    var measure = false

    @OptionGroup var output: OutputOptions

    private struct Description: Encodable {
        struct Stream: Encodable {
            let index: Int
            let codec: String
            let sampleRate: Int
            let channels: Int
            let language: String?
            let isDefault: Bool
        }

        struct Section: Encodable {
            let title: String?
            let start, end: Double
        }

        let file: String
        let format: String
        let seconds: Double?
        /// The length of the sound, where it was measured.
        let measuredSeconds: Double?
        let durationWarning: DurationWarning?
        let bitRate: Int?
        let streams: [Stream]
        let hasVideo: Bool
        let tags: [String: String]
        let chapters: [Section]
        let picture: String?

        init(_ name: String, _ asset: Asset, _ progress: ReadingProgress?) {
            file = name
            measuredSeconds = progress?.position.seconds
            durationWarning = DurationWarning(name, progress?.durationMismatch)
            format = asset.formatName
            seconds = asset.duration.isNumeric ? asset.duration.seconds : nil
            bitRate = asset.bitRate
            streams = asset.streams.map {
                Stream(
                    index: $0.index,
                    codec: $0.codec,
                    sampleRate: $0.sampleRate,
                    channels: $0.channelCount,
                    language: $0.language,
                    isDefault: $0.isDefault
                )
            }
            hasVideo = asset.hasVideo
            tags = Dictionary(asset.tags.names.map { ($0, asset.tags[$0] ?? "") }) { first, _ in first }
            chapters = asset.chapters.map { Section(title: $0.title, start: $0.start.seconds, end: $0.end.seconds) }
            picture = asset.artwork.map { "\($0.mimeType), \(DisplayText.bytes($0.bytes.count))" }
        }
    }

    /// A file that could not be read, and why.
    private struct Failure: Encodable {
        let file: String
        let error: ErrorRecord
    }

    private enum Answer: Encodable {
        case description(Description)
        case failure(Failure)

        func encode(to encoder: any Encoder) throws {
            switch self {
            case .description(let description): try description.encode(to: encoder)
            case .failure(let failure): try failure.encode(to: encoder)
            }
        }
    }

    func run() async throws {
        var answers: [Answer] = []
        var failed = false
        for file in files {
            do {
                let asset = try await Asset.load(Clip.url(file))
                let description = Description(file, asset, measure ? try await Self.measure(asset) : nil)
                if let warning = description.durationWarning { Terminal.note(warning.message) }
                answers.append(.description(description))
                if output.jsonl {
                    Terminal.print(try JSON.line(description))
                } else if !output.json {
                    show(description, asset)
                }
            } catch let error as EarshotError where error.code != .cancelled {
                // One bad file does not stop the others.
                Terminal.printError(error.message)
                let failure = Failure(file: file, error: ErrorRecord(error))
                answers.append(.failure(failure))
                if output.jsonl { Terminal.print(try JSON.line(failure)) }
                failed = true
            }
        }
        if output.json { Terminal.print(try JSON.document(["files": answers])) }
        if failed { throw ExitCode(1) }
    }

    /// Reads all sound of an asset; `nil` if it has none.
    private static func measure(_ asset: Asset) async throws -> ReadingProgress? {
        guard !asset.streams.isEmpty else { return nil }
        let reader = try await AssetReader(asset)
        for try await _ in reader {}
        return reader.progress
    }

    private func show(_ description: Description, _ asset: Asset) {
        Terminal.print(Terminal.bold(description.file))
        Terminal.print("  format    \(description.format)\(description.hasVideo ? ", with video" : "")")
        Terminal.print("  duration  \(asset.duration.isNumeric ? DisplayText.position(asset.duration) : "unknown")")
        if let measured = description.measuredSeconds {
            Terminal.print(
                "  sound     \(DisplayText.position(MediaTime(seconds: measured, preferredTimescale: 1_000_000)))"
            )
        }
        for stream in description.streams {
            let language = stream.language.map { ", \($0)" } ?? ""
            Terminal.print(
                "  audio     stream \(stream.index): \(stream.codec), \(stream.sampleRate) Hz, "
                    + "\(DisplayText.plural(stream.channels, "channel", "channels"))\(language)"
                    + (stream.isDefault && description.streams.count > 1 ? ", default" : "")
            )
        }
        if description.streams.isEmpty { Terminal.print("  audio     none") }
        for (name, value) in description.tags.sorted(by: { $0.key < $1.key }) {
            let line = Terminal.shown(value)
            Terminal.print("  tag       \(Terminal.shown(name)): \(line.count > 160 ? line.prefix(159) + "…" : line)")
        }
        for chapter in asset.chapters {
            Terminal.print("  chapter   \(DisplayText.position(chapter.start))  \(Terminal.shown(chapter.title ?? ""))")
        }
        if let picture = description.picture { Terminal.print("  picture   \(picture)") }
    }
}
