import EarshotCatalogs
import EarshotCore

/// The files that a worker holds, and what becomes of each.
struct IngestState {
    /// References that are not in the catalog yet.
    var batch = IngestBatch()
    /// The references of the segment that is on its way; `nil` if none is.
    private var storing: [ReferenceID]?
    /// Says that there were no more files when the worker last asked.
    var isDry = false
    /// The number of files that was last asked for, and the time.
    private var lastClaim: (count: Int, time: Double)?
    /// The most files that are taken at once, unless there are more jobs.
    private static let mostClaimed = 256
    /// Files that were not begun, the next one last.
    private var waiting: [IngestFile] = []
    private var readingCount = 0
    /// Files that the worker has not ended. A claim may return one of them again after its lease has ended.
    private var taken: Set<ReferenceID> = []

    /// Says that nothing is under way.
    var isIdle: Bool { waiting.isEmpty && readingCount == 0 && storing == nil && batch.isEmpty }

    /// The number of files to be taken; `nil` while there are enough.
    mutating func wanted(jobs: Int, at now: Double) -> Int? {
        guard !isDry, waiting.count < jobs else { return nil }
        // Asking takes milliseconds: of files that are read in no more than that, as signatures are, many are taken at once.
        let isFast = lastClaim.map { now - $0.time < 1 } ?? false
        let count = lastClaim?.count ?? jobs
        lastClaim = (max(jobs * 2, min(isFast ? count * 2 : count / 2, Self.mostClaimed)), now)
        return lastClaim?.count
    }

    /// Takes files in.
    ///
    /// - Parameter asked: The number of files that were wanted.
    mutating func add(_ files: [IngestFile], of asked: Int) {
        isDry = files.count < asked
        waiting = files.filter { taken.insert($0.id).inserted }.reversed() + waiting
    }

    /// The next file to be read; `nil` while enough are.
    mutating func next(jobs: Int, _ limits: IngestWorker.Limits, at now: Double) -> IngestFile? {
        // While a segment is on its way, only the references of one more segment are read, so that memory does not fill up.
        guard readingCount < jobs, !(storing != nil && batch.isDue(limits, at: now)), let file = waiting.popLast()
        else {
            return nil
        }
        readingCount += 1
        return file
    }

    /// The references of the next segment; `nil` if it is not due, or another one is on its way.
    mutating func nextSegment(_ limits: IngestWorker.Limits, at now: Double) -> [Catalog.Addition]? {
        let isLast = waiting.isEmpty && readingCount == 0 && isDry
        guard storing == nil, !batch.isEmpty, isLast || batch.isDue(limits, at: now) else { return nil }
        let additions = batch.take()
        storing = additions.map(\.id)
        return additions
    }

    /// The segment that was on its way is in the catalog.
    mutating func stored() {
        taken.subtract(storing ?? [])
        storing = nil
    }

    /// Takes a reference in.
    mutating func read(_ addition: Catalog.Addition, at now: Double) {
        readingCount -= 1
        batch.append(addition, at: now)
    }

    /// A file has failed.
    mutating func failed(_ file: IngestFile) {
        readingCount -= 1
        taken.remove(file.id)
    }
}
