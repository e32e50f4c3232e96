import EarshotCore
import Foundation

/// The journals of what was written into collections, in the user's state folder: one a run.
enum LibraryJournals {
    static var folder: URL { UserFolders().own("undo", .state) }

    /// A place for the journal of a run.
    static func new(at date: Date = Date()) throws(EarshotError) -> URL {
        try Durability.makeFolders(folder.path)
        let name = date.formatted(
            .iso8601.year().month().day().timeSeparator(.omitted).time(includingFractionalSeconds: true)
        )
        return folder.appendingPathComponent("\(name).earjournal")
    }

    /// Says that a journal is one of those: made by this user's own runs.
    static func isOwn(_ url: URL) -> Bool {
        url.resolvingSymlinksInPath().deletingLastPathComponent().path == folder.resolvingSymlinksInPath().path
    }

    /// The journals that there are, the newest first.
    static func all() -> [URL] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter { $0.hasSuffix(".earjournal") }.sorted(by: >).map { folder.appendingPathComponent($0) }
    }
}
