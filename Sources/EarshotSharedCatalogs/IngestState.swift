import EarshotCatalogs
import EarshotCore

/// The files that an ``IngestWorker`` holds, and how far each is: waiting, being read, in the batch, or being stored.
struct IngestState {
    /// References that were read and wait for the next segment.
    var batch = IngestBatch()
    /// The references of the segment that is being stored; `nil` if none is.
    private var storing: [ReferenceID]?
    /// `true` if the last claim returned fewer files than were asked for.
    var isDry = false
    /// The number of files that was last asked for, and the time in seconds of the clock.
    private var lastClaim: (count: Int, time: Double)?
    /// The most files of a claim, unless twice the number of jobs is more.
    private static let mostClaimed = 256
    /// Files that are not being read yet, the next one last.
    private var waiting: [IngestFile] = []
    private var readingCount = 0
    /// Files that were claimed and are not ended. A claim may return one of them again after its lease has ended.
    private var taken: Set<ReferenceID> = []

    /// `true` if no file is waiting, being read, in the batch or being stored.
    var isIdle: Bool { waiting.isEmpty && readingCount == 0 && storing == nil && batch.isEmpty }

    /// Returns the number of files to claim now, and notes the claim; `nil` while enough files wait.
    mutating func wanted(jobs: Int, at now: Double) -> Int? {
        guard !isDry, waiting.count < jobs else { return nil }
        // A claim takes milliseconds. Files that are read as fast, such as signatures, would spend most time on claims: so a claim less than a
        // second after the last one asks for twice as many, a later one for half as many.
        let isFast = lastClaim.map { now - $0.time < 1 } ?? false
        let count = lastClaim?.count ?? jobs
        lastClaim = (max(jobs * 2, min(isFast ? count * 2 : count / 2, Self.mostClaimed)), now)
        return lastClaim?.count
    }

    /// Adds claimed files.
    ///
    /// - Parameter asked: The number of files that the claim asked for.
    mutating func add(_ files: [IngestFile], of asked: Int) {
        isDry = files.count < asked
        waiting = files.filter { taken.insert($0.id).inserted }.reversed() + waiting
    }

    /// Returns the next file to be read; `nil` if none waits, or enough are being read.
    mutating func next(jobs: Int, _ limits: IngestWorker.Limits, at now: Double) -> IngestFile? {
        // While a segment is on its way, only the references of one more segment are read, so that memory does not fill up.
        guard readingCount < jobs, !(storing != nil && batch.isDue(limits, at: now)), let file = waiting.popLast()
        else {
            return nil
        }
        readingCount += 1
        return file
    }

    /// Returns the references of the next segment, and marks them as being stored; `nil` if it is not due, or another one is being stored.
    mutating func nextSegment(_ limits: IngestWorker.Limits, at now: Double) -> [Catalog.Addition]? {
        let isLast = waiting.isEmpty && readingCount == 0 && isDry
        guard storing == nil, !batch.isEmpty, isLast || batch.isDue(limits, at: now) else { return nil }
        let additions = batch.take()
        storing = additions.map(\.id)
        return additions
    }

    /// Notes that the segment which was being stored is in the catalog.
    mutating func stored() {
        taken.subtract(storing ?? [])
        storing = nil
    }

    /// Adds the reference of a file that was read.
    mutating func read(_ addition: Catalog.Addition, at now: Double) {
        readingCount -= 1
        batch.append(addition, at: now)
    }

    /// Notes that a file could not be read.
    mutating func failed(_ file: IngestFile) {
        readingCount -= 1
        taken.remove(file.id)
    }
}
