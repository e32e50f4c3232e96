package import EarshotCore

/// The most jobs of a queue. Jobs with ``JobOrder/isFirst`` may wait in any number.
package struct JobLimits: Hashable, Sendable {
    /// Jobs that are over and still listed.
    package var memory: Int
    /// Jobs of one owner that are over and still listed.
    package var ownerMemory: Int
    /// Jobs that wait.
    package var waiting: Int
    /// Jobs of one owner that wait.
    package var ownerWaiting: Int

    package init(memory: Int = 200, ownerMemory: Int = 200, waiting: Int = 1_000, ownerWaiting: Int = 20) {
        (self.memory, self.ownerMemory) = (memory, ownerMemory)
        (self.waiting, self.ownerWaiting) = (waiting, ownerWaiting)
    }

    /// Refuses one more job.
    ///
    /// - Throws: `serviceBusy` when too many wait, `tooManyRequests` when too many of the owner do.
    package func check(_ load: JobLoad, owner: String) throws(EarshotError) {
        guard load.waiting < waiting else {
            throw EarshotError(.serviceBusy, "\(load.waiting) jobs wait already: try again when some are done.")
        }
        guard load.ownerWaiting < ownerWaiting else {
            throw EarshotError(
                .tooManyRequests,
                "\(ownerWaiting) jobs of client \(owner) wait already: try again when some are done."
            )
        }
    }
}

/// The jobs of a queue that are not over.
package struct JobLoad: Hashable, Sendable {
    package var running = 0
    package var waiting = 0
    /// Waiting jobs of the owner who was asked about.
    package var ownerWaiting = 0

    package init(running: Int = 0, waiting: Int = 0, ownerWaiting: Int = 0) {
        (self.running, self.waiting, self.ownerWaiting) = (running, waiting, ownerWaiting)
    }
}

/// The order in which owners take turns: in each round one job of each of them.
package struct JobRounds: Sendable {
    /// The latest round of a job that runs.
    package var begun: Int?
    /// The earliest round of a job that waits.
    package var next: Int?
    /// The latest round of a job of the owner that is not over.
    package var last: Int?

    package init(begun: Int? = nil, next: Int? = nil, last: Int? = nil) {
        (self.begun, self.next, self.last) = (begun, next, last)
    }

    /// The round of the owner's next job: behind the owner's last job, and behind the round that is being done.
    package var new: Int { max(begun ?? next.map { $0 - 1 } ?? 0, last ?? 0) + 1 }
}
