import ArgumentParser
import CommandKit
import EarshotClient
import EarshotCore
import EarshotPieces
import Foundation

struct PieceGetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "get",
        abstract: "Fetch the sound, a stem, the cover or the attachment of a piece.",
        discussion: """
            What is fetched is checked by its length and its digest; a download that broke off goes on where it was.

            EXAMPLES
              earshot piece get 0b7c5f52-… -o loop.wav
              earshot piece get 0b7c5f52-… --format m4a -o loop.m4a
              earshot piece get 0b7c5f52-… --stem Drums -o drums.wav
              earshot piece get 0b7c5f52-… --part attachment -o song.proj
            """
    )

    /// A part that can be fetched.
    enum Part: String, ExpressibleByArgument, CaseIterable {
        case stem, preview, cover, attachment
    }

    @Argument(help: "The identifier of a piece, or the address of its page.")
    var piece: String

    @Option(name: .long, help: "What: \(Part.allCases.map(\.rawValue).joined(separator: ", ")).")
    var part = Part.stem

    @Option(name: .long, help: "One of its stems, by its name.")
    var stem: String?

    @Option(
        name: .long,
        help:
            "The format of sound: wave, ogg or m4a; by the output's suffix unless stated, as it was dropped where that has none."
    )
    var format: FormatArgument?

    @Option(name: .shortAndLong, help: "Write it here.", completion: .file())
    var output: String

    @Flag(name: .long, help: "Replace an existing output.")
    var replace = false

    @OptionGroup
    var connection: PieceConnection

    @OptionGroup
    var outcome: JSONOption

    func validate() throws {
        guard stem == nil || part == .stem else {
            throw ValidationError(
                "--stem \(stem ?? "") is sound, and --part asks for the \(part.rawValue): leave one out."
            )
        }
        switch part {
        case .cover, .attachment:
            guard format == nil else {
                throw ValidationError("--format is of sound, and --part asks for the \(part.rawValue): leave one out.")
            }
        case .stem, .preview:
            let suffix = URL(fileURLWithPath: output).pathExtension
            let own = StemFormat(fileExtension: suffix)
            guard let format else {
                guard own != nil || suffix.isEmpty else {
                    throw ValidationError(
                        "Sound of pieces ends in .wav, .ogg or .m4a, and \"\(output)\" does not: change that, or give --format."
                    )
                }
                return
            }
            guard own == nil || own == format.format else {
                throw ValidationError(
                    "--format names another format than \"\(output)\" ends in: leave it out, or change one of them."
                )
            }
        }
    }

    func run() async throws {
        let target = URL(fileURLWithPath: output)
        if !replace, FileManager.default.fileExists(atPath: target.path) { throw AtomicFile.exists(target) }
        let client = try connection.client(mayLogIn: false)
        let id = try connection.piece(piece)
        let bar = PartBar()
        defer { bar.finish() }
        let progress: PieceClient.Progress = { done, total in
            if total > 0 { bar.show(Double(done) / Double(total)) }
        }
        switch part {
        case .stem, .preview:
            try await client.audio(
                of: id,
                kind: part == .preview ? .preview : stem.map { .named($0) } ?? .stem,
                format: format?.format ?? StemFormat(fileExtension: target.pathExtension),
                to: target,
                progress: progress
            )
        case .cover: try AtomicFile.write(Array(try await client.cover(of: id)), to: target, replacing: replace)
        case .attachment: try await client.attachment(of: id, to: target, progress: progress)
        }
        bar.finish()
        let size = try? FileManager.default.attributesOfItem(atPath: target.path)[.size] as? Int
        guard outcome.json else { return }
        try outcome.print("", ["output": .string(target.path), "bytes": size.map { .integer($0) } ?? .null])
    }
}

/// A format of sound by its name.
struct FormatArgument: ExpressibleByArgument {
    let format: StemFormat

    init?(argument: String) {
        guard let format = StemFormat(rawValue: argument) ?? StemFormat(fileExtension: argument) else { return nil }
        self.format = format
    }
}
