import ArgumentParser
import CommandKit
import EarshotCore
import EarshotPieces
import Foundation

struct PieceNewCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "new",
        abstract: "Make a package of a recording or a folder of stems.",
        discussion: """
            Length, format and digests are measured. Of a folder the names say what is what: mix.* or master.* is the mix, preview.* and \
            cover.* are themselves, other sound is a stem; where no file is the mix, the stems are mixed. What is heard is compared with \
            what is said, and told where it differs.

            EXAMPLES
              earshot piece new loop.wav -o loop.earpiece --tempo 120 --loop all --key "A minor"
              earshot piece new "Night Loop 92bpm Am" -o night.earpiece --cover photo.jpg
              earshot piece new drums.wav -o drums.earpiece --key atonal --stem kick=kick.wav --stem hats=hats.wav
            """
    )

    @Argument(help: "A recording, a folder of stems, or a package.", completion: .file())
    var input: String

    @Option(name: .shortAndLong, help: "The package, a file that ends in .earpiece.", completion: .file())
    var output: String?

    @OptionGroup(title: "Piece")
    var fields: PieceOptions

    @Flag(name: .long, help: "Take tempo and key from what is heard, where nothing is said of them.")
    var detect = false

    @Flag(name: .long, help: "Do not listen to it.")
    var noListening = false

    @Flag(name: .long, help: "Replace an existing package.")
    var replace = false

    @Flag(name: .long, help: "Print one JSON object.")
    var json = false

    func validate() throws {
        if detect, noListening { throw ValidationError("--detect listens to it: leave --no-listening out.") }
        if let output, URL(fileURLWithPath: output).pathExtension.lowercased() != PiecePackage.fileExtension {
            throw ValidationError("A package ends in .\(PiecePackage.fileExtension), and \"\(output)\" does not.")
        }
    }

    private struct Report: Encodable {
        let file: String
        let manifest: PieceManifest
        let warnings: [PieceWarning]
    }

    func run() async throws {
        try await InterruptibleWork.run("Interrupted: no package is written.") { try await make() }
    }

    private func make() async throws {
        let target = output.map { URL(fileURLWithPath: $0) } ?? Self.target(of: URL(fileURLWithPath: input))
        if !replace, FileManager.default.fileExists(atPath: target.path) { throw AtomicFile.exists(target) }
        let intake = try PieceImporter()
        // What was converted is in its folder until the package is written.
        defer { withExtendedLifetime(intake) {} }
        var package = try await intake.package(input, fields)
        let warnings =
            noListening
            ? package.draft.warnings.map { PieceWarning($0) }
            : try await PieceAnalysisReport(intake).check(&package, detecting: detect)
        try Task.checkCancellation()
        let writer = try PiecePackageWriter(package)
        try Task.checkCancellation()
        try writer.write(to: target, replacing: replace)
        if json {
            Terminal.print(try JSON.document(Report(file: target.path, manifest: writer.manifest, warnings: warnings)))
            return
        }
        PieceText.show(writer.manifest, package.draft)
        PieceText.warn(warnings.map(\.reason))
        Terminal.print("Wrote \(Terminal.shown(target.path)).")
    }

    /// The package of a recording or a folder, beside it. Only a file has a suffix that is taken off: what stands behind a full stop
    /// in the name of a folder belongs to it.
    static func target(of source: URL) -> URL {
        let source = source.standardizedFileURL
        var isFolder: ObjCBool = false
        _ = FileManager.default.fileExists(atPath: source.path, isDirectory: &isFolder)
        let base = isFolder.boolValue ? source : source.deletingPathExtension()
        return source.deletingLastPathComponent()
            .appendingPathComponent("\(base.lastPathComponent).\(PiecePackage.fileExtension)")
    }
}
