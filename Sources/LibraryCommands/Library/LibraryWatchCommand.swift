import ArgumentParser
import CommandKit
import EarshotAnalysis
import EarshotCore
import EarshotLibrary
import Foundation

struct LibraryWatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Scan folders, and say what becomes of their files until it is interrupted.",
        discussion: """
            EXAMPLES
              earshot library watch ~/Music
              earshot library watch ~/Music --jsonl
            """
    )

    @OptionGroup var options: FolderOptions

    @Option(name: .long, help: "How long nothing has to happen before changes are looked at, in seconds.")
    var settle = 1.0

    @Flag(name: .long, help: "Print one JSON object a line.")
    var jsonl = false

    func validate() throws {
        guard settle.isFinite, (0.01...3_600).contains(settle) else {
            throw ValidationError("--settle is 0.01 to 3600.")
        }
    }

    func run() async throws {
        let libraries = try options.libraries()
        let quiet = MediaTime(seconds: settle, preferredTimescale: 1_000)
        let (options, jsonl) = (options, jsonl)
        let watching = Task {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for library in libraries {
                    group.addTask { try await Self.follow(library, quiet, options, jsonl) }
                }
                try await group.waitForAll()
            }
        }
        let interruption = Interruption(takesTermination: true) { watching.cancel() }
        defer { _ = interruption }
        do {
            try await watching.value
        } catch {
            // Ctrl-C is how it ends.
            guard watching.isCancelled else { throw error }
        }
    }

    private static func follow(
        _ library: FolderLibrary,
        _ quiet: MediaTime,
        _ options: FolderOptions,
        _ jsonl: Bool
    ) async throws {
        for try await event in library.watch(settlingFor: quiet) {
            options.log(event)
            if jsonl {
                if let line = ScanLine(event, library.folder.path) { Terminal.print(try JSON.line(line)) }
                continue
            }
            switch event {
            case .changed(let change):
                let from = change.oldURL.map { "  from \(Terminal.shown($0.path))" } ?? ""
                let kind = change.kind.rawValue
                Terminal.print(
                    kind + String(repeating: " ", count: 9 - kind.count) + Terminal.shown(change.url.path) + from
                )
            case .failed(let failure): Terminal.printError(failure.message)
            case .listed, .progressed, .ended: break
            }
        }
    }
}
