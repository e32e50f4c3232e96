import ArgumentParser
import CommandKit
import EarshotCore
import EarshotPieces
import Foundation

struct PieceValidateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "validate",
        abstract: "Check a draft, a package or a recording, without a network.",
        discussion: """
            A draft is JSON: {"title": "Loop", "length": 40000000, "tempo": 120, "loop": {"start": 0, "end": 500000}, \
            "timeSignature": {"upper": 4, "lower": 4}, "basedOn": [], "tonality": {"state": "unknown"}}, with times in microseconds. All \
            that is wrong is told at once. The sound of a package is listened to: its length, where its loop begins again, its tempo and its key.

            EXAMPLES
              earshot piece validate draft.json --json
              earshot piece validate loop.earpiece
              earshot piece validate loop.wav --tempo 120 --loop all

            Exit status: 0 valid, 1 not.
            """,
        aliases: ["check"]
    )

    @Argument(
        help: "A draft (.json), a package, a recording or a folder of stems; - for a draft from standard input.",
        completion: .file()
    )
    var input: String

    @OptionGroup(title: "Piece")
    var fields: PieceOptions

    @Flag(name: .long, help: "Do not listen to it.")
    var noListening = false

    @Flag(name: .long, help: "Print one JSON object.")
    var json = false

    private struct Report: Encodable {
        var isValid = true
        var violations: [DraftViolation] = []
        var warnings: [PieceWarning] = []
    }

    /// Says that a draft is named, and nothing with audio.
    private var isDraft: Bool {
        input == "-" || URL(fileURLWithPath: input).pathExtension.lowercased() == "json"
    }

    func validate() throws {
        if isDraft, !fields.isEmpty {
            throw ValidationError(
                "A draft says itself what is said of the piece: change it there, and leave the options out."
            )
        }
    }

    func run() async throws {
        // A draft has nothing to be taken away, and may be waited for.
        guard !isDraft else { return try await check() }
        try await InterruptibleWork.run("Interrupted.") { try await check() }
    }

    private func check() async throws {
        var report = Report()
        if isDraft {
            let form = try Self.draft(input)
            report.violations = form.violations
            if let draft = try? form.draft() { report.warnings = draft.warnings.map { PieceWarning($0) } }
        } else {
            let intake = try PieceImporter()
            do {
                var package = try await intake.package(input, fields)
                try Task.checkCancellation()
                report.warnings =
                    noListening
                    ? package.draft.warnings.map { PieceWarning($0) }
                    : try await PieceAnalysisReport(intake).check(&package, detecting: false)
            } catch let error as EarshotError {
                guard let errors = error.cause as? DraftErrors else { throw error }
                report.violations = errors.violations
            }
        }
        report.isValid = report.violations.isEmpty
        if json {
            Terminal.print(try JSON.document(report))
        } else {
            for violation in report.violations {
                Terminal.printError("\(violation.field.rawValue): \(violation.reason)")
            }
            PieceText.warn(report.warnings.map(\.reason))
            if report.isValid {
                Terminal.print(
                    report.warnings.isEmpty
                        ? "Valid." : "Valid, with \(DisplayText.plural(report.warnings.count, "warning", "warnings"))."
                )
            }
        }
        if !report.isValid { throw ExitCode(1) }
    }

    private static func draft(_ path: String) throws -> DraftForm {
        let data: Data
        do {
            data =
                try path == "-"
                ? FileHandle.standardInput.readToEnd() ?? Data() : Data(contentsOf: URL(fileURLWithPath: path))
        } catch {
            throw EarshotError(.assetUnreadable, "\(path) cannot be read: check its name.", cause: error)
        }
        do {
            return try JSONDecoder().decode(DraftForm.self, from: data)
        } catch {
            throw EarshotError(
                .pieceInvalid,
                "\(path == "-" ? "Standard input" : path) is no draft: \(Self.reason(error))",
                cause: error
            )
        }
    }

    /// The finding of a decoder, in words.
    private static func reason(_ error: any Error) -> String {
        func place(_ path: [any CodingKey]) -> String { path.map(\.stringValue).joined(separator: ".") }
        switch error {
        case DecodingError.keyNotFound(let key, _): return "it has no \(key.stringValue)."
        case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
            return "its \(place(context.codingPath)) is of another type than it has to be."
        case DecodingError.dataCorrupted(let context):
            return context.codingPath.isEmpty
                ? "it is no JSON."
                : "its \(place(context.codingPath)) cannot be understood. \(context.debugDescription)"
        default: return "it cannot be read."
        }
    }
}
