import ArgumentParser
import CommandKit
import EarshotAPI
import EarshotCore
import EarshotServer
import Foundation

extension AdminCommand {
    /// Tells who changed what.
    struct Audit: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "audit",
            abstract: "Tell who changed what and when, and whether the record of it is whole.",
            discussion: """
                The file audit.log in the service's folder has a line for each change by the operator, by clients with rights and \
                by these commands, and for each log-in. Each line vouches for all before it: a line that was changed, removed or \
                put between is found, and named with exit status 1. Keep the digest of the last line elsewhere from time to time: \
                with --known nobody can write the whole file anew.

                EXAMPLES
                  earshot admin audit --last 20
                  earshot admin audit --json > audit-2026-01.json
                  earshot admin audit --last 0 --known 5d3a...
                """
        )
        @Option(name: .long, help: "Show so many of the last entries; all of them unless stated.")
        var last: Int?
        @Option(name: .long, help: "Show entries from this instant on, as 2026-01-31T20:15:00Z.")
        var since: String?
        @Option(name: .long, help: "A digest that was shown before: it has to be there.")
        var known: String?
        @OptionGroup var folder: DataFolder
        @Flag(name: .long, help: "Print one JSON object.") var json = false

        private struct Report: Encodable {
            let entries: [AuditEntry]
            let count: Int
            let digest: String
            let fault: Int?
            let knowsDigest: Bool?
        }

        func run() async throws {
            var start: Date?
            if let since {
                guard let date = ServiceAPI.date(of: since) else {
                    throw ValidationError("\(since) is no instant: give one as 2026-01-31T20:15:00Z.")
                }
                start = date
            }
            // A folder without a service has no record either, and is named wrongly.
            _ = try await folder.accounts()
            let keep = max(0, last ?? .max)
            var entries: [AuditEntry] = []
            var isKnown = false
            let log = AuditLog(folder: folder.url)
            let summary = try log.read { (entry, digest) throws(EarshotError) in
                if digest == known { isKnown = true }
                guard start.map({ entry.date >= $0 }) ?? true else { return }
                entries.append(entry)
                // What is not shown is not kept either; removed in larger steps, which move the rest less often.
                if keep < .max / 2, entries.count > 2 * keep + 1_024 { entries.removeFirst(entries.count - keep) }
            }
            entries = Array(entries.suffix(keep))
            if json {
                Terminal.print(
                    try JSON.document(
                        Report(
                            entries: entries,
                            count: summary.count,
                            digest: summary.digest,
                            fault: summary.fault,
                            knowsDigest: known.map { _ in isKnown }
                        )
                    )
                )
            } else {
                for entry in entries { Terminal.print(line(entry)) }
                Terminal.print("\(DisplayText.plural(summary.count, "entry", "entries")), digest \(summary.digest)")
            }
            if let fault = summary.fault {
                throw EarshotError(
                    .storeDamaged,
                    "Line \(fault) of audit.log does not follow from those before: it, or one before it, was changed or removed. Compare the file with a backup."
                )
            }
            if known != nil, !isKnown {
                throw EarshotError(
                    .storeDamaged,
                    "No entry has the digest of --known: audit.log was written anew, or belongs to another service. Check the digest and the folder."
                )
            }
        }

        private func line(_ entry: AuditEntry) -> String {
            let target = entry.target.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
            let end = [entry.status.map { "\($0)" }, entry.address].compactMap(\.self).joined(separator: " from ")
            return "\(Terminal.dim(ServiceAPI.text(of: entry.date)))  \(Terminal.bold(entry.who))  \(entry.what)  "
                + Terminal.shown(target) + (end.isEmpty ? "" : "  \(Terminal.dim(end))")
        }
    }
}
