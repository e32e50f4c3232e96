public import ArgumentParser
import CommandKit
import EarshotClient
import EarshotCore
public import EarshotPieces
import Foundation

struct PieceDropCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "drop",
        abstract: "Publish a package, a recording or a folder of stems at a service.",
        discussion: """
            Its length is measured; the stems of a package or a folder go along. Uploads go on where a connection broke off; a drop that is interrupted leaves nothing at the service. \
            The first time somebody logs in, with a code that is typed in at the service's page; where there is no terminal, with `earshot piece \
            login` before, or as the user of --user.

            EXAMPLES
              earshot piece drop loop.earpiece
              earshot piece drop loop.wav --title "Night Loop" --tempo 92 --loop all --key "A minor"
              earshot piece drop take.flac --based-on 0b7c… --visibility unlisted
            """
    )

    @Argument(help: "A package, a recording or a folder of stems.", completion: .file())
    var input: String

    @OptionGroup(title: "Piece")
    var fields: PieceOptions

    @Option(name: .long, help: "Who may see it: listed, unlisted or private.")
    var visibility = Piece.Visibility.listed

    @OptionGroup
    var connection: PieceConnection

    @Flag(name: .long, help: "Print one JSON object.")
    var json = false

    func run() async throws {
        try await InterruptibleWork.run("Interrupted: nothing of it is at the service.") { try await drop() }
    }

    private func drop() async throws {
        let client = try connection.client()
        try await connection.checkLogin(client)
        let intake = try PieceImporter()
        // What was converted is in its folder until the drop is over.
        defer { withExtendedLifetime(intake) {} }
        let package = try await intake.package(input, fields)
        try Task.checkCancellation()
        PieceText.warn(package.draft.warnings.map(\.reason))
        let flow = client.dropFlow(
            package.draft,
            PackageProviders(package: package),
            description: package.description,
            visibility: visibility
        )
        // Where its task is canceled this ends, and waiting for the piece cancels the drop.
        for await event in flow {
            switch event {
            case .rendering(let part): Terminal.draw(nil, "preparing the \(part.rawValue)")
            case .uploading(let part, let fraction):
                Terminal.draw(fraction, String(format: "%3.0f %%  %@", fraction * 100, part.rawValue))
            case .waitingForLogin: Terminal.clearProgress()
            case .finishing: Terminal.draw(nil, "publishing")
            default: break
            }
        }
        Terminal.clearProgress()
        let piece: Piece
        do {
            piece = try await flow.piece
        } catch {
            let remedy = flow.leftover.map { "`earshot piece remove \($0)` takes it away." }
            guard error.code == .cancelled else {
                guard let remedy else { throw error }
                throw EarshotError(error.code, "\(error.message) \(remedy)", cause: error.cause)
            }
            Terminal.note(
                remedy.map { "Interrupted: something of it may still be at the service. \($0)" }
                    ?? "Interrupted: nothing of it is at the service."
            )
            throw ExitCode(130)
        }
        if json { return Terminal.print(try JSON.document(piece)) }
        PieceText.show(piece)
    }
}

/// Gives the parts of a package.
private struct PackageProviders: DropProviders {
    let package: PiecePackage

    func mixStem(for draft: PieceDraft) async throws -> AudioBundle { try AudioBundle(package.mix) }

    func stems(for draft: PieceDraft) async throws -> [PieceStem] { package.stems }

    func preview(for draft: PieceDraft) async throws -> AudioBundle? { try package.preview.map { try AudioBundle($0) } }

    func cover(for draft: PieceDraft) async throws -> CoverImage? { package.cover }

    func attachment(for draft: PieceDraft) async throws -> AttachmentBundle? { package.attachment }
}

extension Piece.Visibility: ExpressibleByArgument {}
