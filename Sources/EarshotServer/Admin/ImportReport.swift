import EarshotCore
import EarshotMusic
import Synchronization

/// The result of an import.
struct ImportReport: Codable, Sendable {
    /// A line that was skipped.
    struct Reject: Codable, Sendable {
        /// The line's number, counted from 1.
        let line: Int
        let reason: String
        /// The line, or its beginning.
        let content: String?
    }

    /// The most skipped lines in a report.
    static let rejectLimit = 1_000

    /// Lines that were read, or references of the catalog that was merged.
    var lines = 0
    /// Artists, albums, tracks and other entries that were written, or references that were added.
    var changes = 0
    /// Lines that were skipped, or references that were there already.
    var rejected = 0
    /// The first skipped lines.
    var rejects: [Reject] = []
    /// Texts that match no descriptor, with their counts, by the kind of descriptor.
    var unknown: [String: [String: Int]] = [:]
}

/// Collects the lines that an import skips.
final class ImportRejects: Sendable {
    private let state = Mutex<[ImportReport.Reject]>([])

    var rejects: [ImportReport.Reject] { state.withLock(\.self) }

    func add(_ reject: MusicImport.Reject) {
        let content = reject.content.map { String(decoding: $0.prefix(500), as: UTF8.self) }
        state.withLock { state in
            guard state.count < ImportReport.rejectLimit else { return }
            state.append(ImportReport.Reject(line: reject.line, reason: reject.reason.message, content: content))
        }
    }
}
