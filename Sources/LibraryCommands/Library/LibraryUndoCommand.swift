import ArgumentParser
import CommandKit
import EarshotAlbums
import EarshotCore
import EarshotTags
import Foundation

struct LibraryUndoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "undo",
        abstract: "Take back what was written into files: every file gets its old bytes and its old name.",
        discussion: """
            Without a journal the newest run that has not been undone is. A file that somebody has changed since is left alone, and \
            is tried again the next time; with --give-up it is not, so that the next time is the turn of the run before. \
            Interrupted, it can be run again.

            EXAMPLES
              earshot library undo
              earshot library undo --list
              earshot library undo --give-up

            Exit status 3: there is nothing to take back.
            """
    )

    @Argument(help: "The journal of a run.", completion: .file(extensions: ["earjournal"]))
    var journal: String?

    @Flag(name: .long, help: "List the runs and change nothing.")
    var list = false

    @Flag(name: .long, help: "Leave for good what cannot be taken back: the file stays as it is.")
    var giveUp = false

    @OptionGroup var output: OutputOptions

    /// A run, for programs.
    struct Run: Encodable {
        let journal: String
        let date: Date?
        let files, undone, givenUp: Int
    }

    /// The runs, and the journals that cannot be read.
    private struct Runs: Encodable {
        let runs: [Run]
        let failed: [LibraryReport.Failure]
    }

    func run() async throws {
        if list { return try await showRuns() }
        var wanted: TagJournal?
        if let path = journal {
            guard FileManager.default.fileExists(atPath: path) else {
                throw EarshotError(.assetNotFound, "There is no journal at \(path): see `earshot library undo --list`.")
            }
            wanted = try await TagJournal.open(URL(fileURLWithPath: path))
        } else {
            for url in LibraryJournals.all() {
                // One that cannot be read must not keep the others from being undone.
                guard
                    let changes = await self.changes(url, telling: { Terminal.printError(Terminal.shown($0.message)) }),
                    changes.contains(where: \.isOpen)
                else { continue }
                wanted = try await TagJournal.open(url)
                break
            }
        }
        guard let wanted else {
            Terminal.print("There is nothing to take back.")
            throw ExitCode(3)
        }
        let outcomes = await wanted.undo(leavingRoot: LibraryJournals.isOwn(wanted.url))
        let failed = outcomes.filter { $0.error != nil }
        if giveUp { try await wanted.abandon(failed.map(\.change)) }
        if output.json {
            let told = failed.map { outcome in
                LibraryReport.Failure(
                    file: outcome.change.newURL.path,
                    code: outcome.error?.code.rawValue ?? "",
                    message: outcome.error?.message ?? ""
                )
            }
            Terminal.print(try JSON.document(Undone(undone: outcomes.count - failed.count, failed: told)))
        } else {
            let files = DisplayText.plural(outcomes.count - failed.count, "file is as it was", "files are as they were")
            Terminal.print("\(files).")
            for outcome in failed { Terminal.printError(Terminal.shown(outcome.error?.message ?? "")) }
            if !failed.isEmpty {
                Terminal.note(
                    giveUp
                        ? "What could not be taken back stays as it is."
                        : "`earshot library undo --give-up` leaves these as they are for good."
                )
            }
        }
        if !failed.isEmpty { throw ExitCode(1) }
    }

    private struct Undone: Encodable {
        let undone: Int
        let failed: [LibraryReport.Failure]
    }

    /// The changes in a journal; `nil` if it cannot be read.
    private func changes(_ url: URL, telling: (EarshotError) -> Void) async -> [TagJournal.Change]? {
        do throws(EarshotError) {
            return try await TagJournal.changes(at: url)
        } catch {
            telling(error)
            return nil
        }
    }

    private func showRuns() async throws {
        var runs: [Run] = []
        var failed: [LibraryReport.Failure] = []
        for url in LibraryJournals.all() {
            let changes = await self.changes(url) { error in
                failed.append(
                    LibraryReport.Failure(file: url.path, code: error.code.rawValue, message: error.message)
                )
            }
            guard let changes else { continue }
            runs.append(
                Run(
                    journal: url.path,
                    date: changes.first?.date,
                    files: changes.count,
                    undone: changes.count { $0.isUndone },
                    givenUp: changes.count { $0.isAbandoned && !$0.isUndone }
                )
            )
        }
        if output.json {
            Terminal.print(try JSON.document(Runs(runs: runs, failed: failed)))
        } else {
            for run in runs {
                let date = run.date.map { $0.formatted(date: .abbreviated, time: .shortened) } ?? ""
                let givenUp = run.givenUp > 0 ? ", \(run.givenUp) given up" : ""
                Terminal.print(
                    "\(date)  \(DisplayText.plural(run.files, "file", "files")), \(run.undone) taken back\(givenUp)  "
                        + Terminal.dim(Terminal.shown(run.journal))
                )
            }
            if runs.isEmpty { Terminal.print("Nothing was written.") }
            for failure in failed { Terminal.printError(Terminal.shown(failure.message)) }
        }
        if !failed.isEmpty { throw ExitCode(1) }
    }
}
