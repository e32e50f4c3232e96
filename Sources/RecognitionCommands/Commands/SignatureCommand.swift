import ArgumentParser
import CommandKit
import Earshot
import Foundation

struct SignatureCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "signature",
        abstract: "Make a signature of audio, or show one.",
        discussion: """
            EXAMPLES
              earshot signature song.flac -o song.earsig
              earshot signature episode.mp4 --from 60 --to 75.5 -o scene.earsig
              earshot signature clip.wav --spectrogram -o clip.earsig    ask with all there is
              earshot signature song.earsig        show what a signature is
            """
    )

    @Argument(help: "Audio, a signature, or - for standard input.", completion: .file())
    var input: String

    @Option(name: .shortAndLong, help: "Write the signature here.", completion: .file(extensions: ["earsig"]))
    var output: String?

    @Option(name: .long, help: "Begin here, in seconds or h:mm:ss.")
    var from: TimeArgument?

    @Option(name: .long, help: "End here, in seconds or h:mm:ss.")
    var to: TimeArgument?

    @Flag(
        name: .long,
        help: "Write the spectrogram too, of a minute at most: 4 kB a second. Speech can be made out of it."
    )
    var spectrogram = false

    @Flag(name: .long, help: "Replace an existing output.")
    var replace = false

    @Flag(name: .long, help: "Print one JSON object.")
    var json = false

    private struct Description: Encodable {
        let input: String
        let output: String?
        let seconds: Double
        let landmarks: Int
        let landmarksPerSecond: Double
        let bytes: Int
        let spectrogram: Bool
        let configuration: UInt32
    }

    private var range: Range<MediaTime>? {
        guard from != nil || to != nil else { return nil }
        let start = from?.time ?? .zero
        return start..<max(start, to?.time ?? .positiveInfinity)
    }

    func validate() throws {
        if let output, URL(fileURLWithPath: output).pathExtension.lowercased() != "earsig" {
            throw ValidationError("A signature ends in .earsig, by which it is known, and \"\(output)\" does not.")
        }
        guard (from?.time ?? .zero) < (to?.time ?? .positiveInfinity) else {
            throw ValidationError("--from must be before --to.")
        }
    }

    func run() async throws {
        if let output, !replace, FileManager.default.fileExists(atPath: output) {
            throw AtomicFile.exists(URL(fileURLWithPath: output))
        }
        let audio = try await Clip.audio(input, range: range)
        let signature = audio.signature
        if range != nil, signature.duration == .zero {
            throw EarshotError(
                .signatureInvalid,
                "\(input) ends before the part asked for: `earshot probe` says how long it is."
            )
        }
        _ = try audio.recognizable(named: input)
        guard !spectrogram || signature.hasSpectrogram else {
            throw EarshotError(
                .signatureInvalid,
                "\(input) has no spectrogram to write: it lasts more than a minute, or is a signature without one. Make a part "
                    + "of the audio with --from and --to."
            )
        }
        if let output {
            let url = URL(fileURLWithPath: output)
            try signature.write(to: url, replacing: replace, withSpectrogram: spectrogram)
        }
        let isKept = output == nil ? input.lowercased().hasSuffix(".earsig") && signature.hasSpectrogram : spectrogram
        let description = Description(
            input: input,
            output: output,
            seconds: signature.duration.seconds,
            landmarks: signature.landmarks.count,
            landmarksPerSecond: Double(signature.landmarks.count) / max(signature.duration.seconds, 0.001),
            bytes: (isKept ? signature.dataWithSpectrogram : signature.data).count,
            spectrogram: isKept,
            configuration: signature.configuration.id
        )
        if json {
            Terminal.print(try JSON.document(description))
        } else {
            Terminal.print(
                "\(output ?? input): \(DisplayText.length(signature.duration)), \(description.landmarks) landmarks "
                    + String(format: "(%.0f a second), ", description.landmarksPerSecond)
                    + (isKept ? "spectrogram, " : "") + DisplayText.bytes(description.bytes)
            )
        }
    }
}
