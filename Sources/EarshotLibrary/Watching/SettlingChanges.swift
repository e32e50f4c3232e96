import EarshotCore

/// Gathers what changes below a folder until it settles: a copy of a song is a thousand writes, and one change.
///
/// A value that decides; what tells it the time and waits is elsewhere.
struct SettlingChanges: Sendable {
    /// The time without changes after which changes are delivered.
    let quiet: MediaTime
    /// The longest time for which changes that never settle are held back.
    let longest: MediaTime

    private var paths: Set<String> = []
    private var needsRescan = false
    private var first: MediaTime?
    private var last = MediaTime.zero
    /// More paths than this are not listed: everything is looked at then.
    private static let mostPaths = 10_000

    init(quiet: MediaTime, longest: MediaTime) {
        (self.quiet, self.longest) = (quiet, longest)
    }

    /// Something changed at a path; nothing where it is not known what changed, and all has to be looked at.
    mutating func noticed(_ path: String?, at time: MediaTime) {
        if let path, !needsRescan, paths.count < Self.mostPaths {
            paths.insert(path)
        } else {
            needsRescan = true
            paths = []
        }
        first = first ?? time
        last = time
    }

    /// The time at which changes are delivered if no more happen; `nil` if there are none.
    var deadline: MediaTime? {
        guard let first else { return nil }
        return min(last + quiet, first + longest)
    }

    /// The changes that have settled by a time; `nil` while they have not.
    mutating func settled(at time: MediaTime) -> FolderWatcher.Change? {
        guard let deadline, deadline <= time else { return nil }
        defer { (paths, needsRescan, first) = ([], false, nil) }
        return FolderWatcher.Change(paths: paths, needsRescan: needsRescan)
    }
}
