import ArgumentParser
import EarshotAlbums
import EarshotCore
import Foundation

struct LibraryUndoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "undo",
        abstract: "Take back what was written into files: every file gets its old bytes and its old name.",
        discussion: """
            Without a journal the newest run that has not been undone is. A file that somebody has changed since is left alone. \
            Interrupted, it can be run again.

            EXAMPLES
              earshot library undo
              earshot library undo --list

            Exit status 3: there is nothing to take back.
            """
    )

    @Argument(help: "The journal of a run.", completion: .file(extensions: ["earjournal"]))
    var journal: String?

    @Flag(name: .long, help: "List the runs and change nothing.")
    var list = false

    @OptionGroup var output: OutputOptions

    /// A run, for programs.
    struct Run: Encodable {
        let journal: String
        let date: Date?
        let files, undone: Int
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
                let journal = try await TagJournal.open(url)
                guard await journal.changes().contains(where: { !$0.isUndone }) else { continue }
                wanted = journal
                break
            }
        }
        guard let wanted else {
            Console.say("There is nothing to take back.")
            throw ExitCode(3)
        }
        let outcomes = await wanted.undo()
        let failed = outcomes.filter { $0.error != nil }
        if output.json {
            let told = failed.map { outcome in
                LibraryReport.Failure(
                    file: outcome.change.newURL.path,
                    code: outcome.error?.code.rawValue ?? "",
                    message: outcome.error?.message ?? ""
                )
            }
            Console.say(try JSON.document(Undone(undone: outcomes.count - failed.count, failed: told)))
        } else {
            let files = Wording.plural(outcomes.count - failed.count, "file is as it was", "files are as they were")
            Console.say("\(files).")
            for outcome in failed { Console.complain(outcome.error?.message ?? "") }
        }
        if !failed.isEmpty { throw ExitCode(1) }
    }

    private struct Undone: Encodable {
        let undone: Int
        let failed: [LibraryReport.Failure]
    }

    private func showRuns() async throws {
        var runs: [Run] = []
        for url in LibraryJournals.all() {
            let changes = try await TagJournal.open(url).changes()
            runs.append(
                Run(
                    journal: url.path,
                    date: changes.first?.date,
                    files: changes.count,
                    undone: changes.count { $0.isUndone }
                )
            )
        }
        if output.json {
            Console.say(try JSON.document(["runs": runs]))
        } else {
            for run in runs {
                let date = run.date.map { $0.formatted(date: .abbreviated, time: .shortened) } ?? ""
                Console.say(
                    "\(date)  \(Wording.plural(run.files, "file", "files")), \(run.undone) taken back  \(Console.dim(run.journal))"
                )
            }
            if runs.isEmpty { Console.say("Nothing was written.") }
        }
    }
}
