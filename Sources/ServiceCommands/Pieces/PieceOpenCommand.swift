import ArgumentParser
import CommandKit
import EarshotClient
import EarshotCore
import EarshotPieces
import Foundation

struct PieceOpenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "open",
        abstract: "Open a piece by the address that a page or a desktop gives: save it with all that belongs to it.",
        discussion: """
            The piece is saved in a folder of its own: sound, stems, preview, cover, attachment, and piece.json with what is said of it. When it is \
            opened again, what has changed is replaced. The files of a package become a folder as they are, with manifest.json, which says what they \
            are. `earshot piece register-scheme` has the desktop do this when an address is clicked.

            EXAMPLES
              earshot piece open "piece-earshot://open?id=0b7c5f52-…" -o ~/Music/Pieces
              earshot piece open loop.earpiece -o ~/Music/Pieces

            Exit status: 0 opened, 1 failed, 3 the address is not for this app.
            """
    )

    @Argument(help: "The address, or a package.", completion: .file())
    var address: String

    @Option(name: .shortAndLong, help: "The folder in which the piece gets its own.", completion: .directory)
    var output = "."

    @Option(
        name: .long,
        help: "The format of its sound: wave, ogg or m4a; as it was dropped unless stated. Not for a package."
    )
    var format: FormatArgument?

    @OptionGroup
    var connection: PieceConnection

    @Flag(name: .long, help: "Print one JSON object.")
    var json = false

    private struct Report: Encodable {
        let folder: String
        let files: [String]
        var piece: Piece?
        var manifest: PieceManifest?
    }

    /// Says that a package is named, and no address.
    private var isPackage: Bool { FileManager.default.fileExists(atPath: address) }

    func validate() throws {
        if isPackage, format != nil {
            throw ValidationError("The files of a package stay as they are: leave --format out.")
        }
    }

    func run() async throws {
        let parent = URL(fileURLWithPath: output)
        guard !isPackage else {
            return try await InterruptibleWork.run("Interrupted: nothing is saved.") { try await openPackage(parent) }
        }
        try await InterruptibleWork.run("Interrupted: the same command goes on where this one stopped.") {
            try await open(parent)
        }
    }

    private func open(_ parent: URL) async throws {
        try PieceConnection.checkFile(address)
        guard let url = URL(string: address), case .open(let id) = try connection.scheme().request(url) else {
            Terminal.printError(
                "\(Terminal.shown(String(address.prefix(200)))) is no address of a piece for \(try connection.scheme().name)."
            )
            throw ExitCode(3)
        }
        let opened = try await connection.client(mayLogIn: false).open(id)
        let folder = SavedPiece(opened, in: parent, format: format?.format)
        let bar = PartBar()
        let files: [String]
        do {
            defer { bar.finish() }
            files = try await folder.save { bar.show($0) }
        }
        if json {
            return Terminal.print(try JSON.document(Report(folder: folder.url.path, files: files, piece: opened.piece)))
        }
        PieceText.show(opened.piece)
        Terminal.print("Saved in \(Terminal.shown(folder.url.path)).")
    }

    private func openPackage(_ parent: URL) async throws {
        let reader = try await PiecePackageReader.open(URL(fileURLWithPath: address))
        let folder = SavedPiece.place(reader.draft.title, reader.manifest.id, in: parent)
        try Task.checkCancellation()
        try SavedPiece.prepare(parent)
        guard !FileManager.default.fileExists(atPath: folder.path) else {
            throw EarshotError(
                .destinationExists,
                "\(folder.path) exists already: take it away, or name another folder with -o."
            )
        }
        try reader.extract(toFolder: folder)
        if json {
            let report = Report(folder: folder.path, files: reader.parts.map(\.file), manifest: reader.manifest)
            return Terminal.print(try JSON.document(report))
        }
        PieceText.show(reader.manifest, reader.draft)
        Terminal.print("Saved in \(Terminal.shown(folder.path)).")
    }
}
