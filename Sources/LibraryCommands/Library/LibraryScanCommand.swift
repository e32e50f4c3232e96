import ArgumentParser
import CommandKit
import EarshotAnalysis
import EarshotCore
import EarshotLibrary
import Foundation

struct LibraryScanCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scan",
        abstract: "Read the tags of folders, and find out what was added, changed, moved and removed.",
        discussion: """
            Each file is read once: a later scan opens only what is new or changed. Nothing in the folders is changed. What was \
            read is there for list, find and untagged.

            EXAMPLES
              earshot library scan ~/Music
              earshot library scan ~/Music /mnt/share --jsonl
              earshot library scan ~/Old --encoding shift-jis

            Exit status 1: some files could not be read; the others were.
            """
    )

    @OptionGroup var options: FolderOptions
    @OptionGroup var output: OutputOptions

    /// The result of a scan, for programs.
    struct Report: Encodable {
        let folder: String
        let files, read, added, changed, moved, removed, copies, failed: Int
        let seconds: Double
        var failures: [ScanLine.Failure]?
    }

    func run() async throws {
        let libraries = try options.libraries()
        let interruption = Interruption("Interrupted: run the same command again to go on.")
        defer { _ = interruption }
        var reports: [Report] = []
        for library in libraries {
            var bar: ProgressBar?
            var done = 0
            var failures: [ScanLine.Failure] = []
            for try await event in library.scan() {
                options.log(event)
                if output.jsonl, let line = ScanLine(event, library.folder.path) { Terminal.print(try JSON.line(line)) }
                switch event {
                case .listed(let files, _): bar = ProgressBar(total: files)
                case .progressed(let now, _):
                    for _ in done..<max(done, now) { bar?.step(audioSeconds: 0) }
                    done = max(done, now)
                case .failed(let failure): failures.append(ScanLine.Failure(failure))
                case .changed: break
                case .ended(let summary):
                    bar?.finish()
                    reports.append(Report(library.folder.path, summary, failures))
                }
            }
        }
        tell(reports)
        if output.json { Terminal.print(try JSON.document(["folders": reports])) }
        if reports.contains(where: { $0.failed > 0 }) { throw ExitCode(1) }
    }

    private func tell(_ reports: [Report]) {
        guard !output.json, !output.jsonl else { return }
        for report in reports {
            for failure in report.failures ?? [] { Terminal.printError(failure.message) }
            let counts = [
                (report.read, "read"), (report.added, "added"), (report.changed, "changed"), (report.moved, "moved"),
                (report.removed, "removed"), (report.copies, "copies"), (report.failed, "failed"),
            ]
            let words = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
            Terminal.print(
                ([DisplayText.plural(report.files, "file", "files")] + (words.isEmpty ? ["nothing new"] : words))
                    .joined(separator: ", ") + "  " + Terminal.shown(report.folder)
            )
        }
    }
}

extension LibraryScanCommand.Report {
    fileprivate init(_ folder: String, _ summary: FolderScanEvent.Summary, _ failures: [ScanLine.Failure]) {
        self.init(
            folder: folder,
            files: summary.files,
            read: summary.read,
            added: summary.added,
            changed: summary.changed,
            moved: summary.moved,
            removed: summary.removed,
            copies: summary.copies,
            failed: summary.failed,
            seconds: summary.seconds,
            failures: failures
        )
    }
}

/// A line about a scan, for programs.
struct ScanLine: Encodable {
    struct Failure: Encodable {
        let path, code, message: String

        init(_ failure: FolderScanEvent.Failure) {
            (path, code, message) = (failure.path, failure.code, failure.message)
        }
    }

    let event: String
    let folder: String
    var files, due: Int?
    var item, path, oldPath: String?
    var code, message: String?
    var read, added, changed, moved, removed, copies, failed: Int?
    var seconds: Double?

    /// The line for an event; nothing for those that are for a bar only.
    init?(_ event: FolderScanEvent, _ folder: String) {
        self.folder = folder
        switch event {
        case .progressed: return nil
        case .listed(let files, let due): (self.event, self.files, self.due) = ("listed", files, due)
        case .changed(let change):
            self.event = change.kind.rawValue
            (item, path, oldPath) = (change.item.rawValue, change.url.path, change.oldURL?.path)
        case .failed(let failure):
            self.event = "failed"
            (path, code, message) = (failure.path, failure.code, failure.message)
        case .ended(let summary):
            self.event = "ended"
            (files, read, added, changed) = (summary.files, summary.read, summary.added, summary.changed)
            (moved, removed, copies, failed) = (summary.moved, summary.removed, summary.copies, summary.failed)
            seconds = summary.seconds
        }
    }
}
