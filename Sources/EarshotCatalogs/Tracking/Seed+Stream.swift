import EarshotSignatures

// Candidates on a stream's timeline and on that of a window.
extension PlayTracer.Seed {
    /// Returns the candidate with the start of a window, in steps of the stream, as zero of its time.
    func shifted(by start: Int) -> PlayTracer.Seed {
        var seed = self
        seed.alignment = alignment.seen(from: Double(start))
        let begin = max(0, stretch.lowerBound - start)
        seed.stretch = begin..<max(begin + 1, stretch.upperBound - start)
        seed.followed = followed.flatMap { $0.reach.lowerBound < start ? nil : $0.shifted(by: start) }
        return seed
    }

    /// Keeps the result of tracing in a window if no other window could change it.
    mutating func keep(_ followed: PlayTracer.Followed, within window: Range<Int>) {
        self.followed = window.contains(followed.reach) ? followed : nil
    }

    /// Returns `true` if another candidate lies on the same alignment of the same reference, within 0.25 s.
    func isOnLine(of other: PlayTracer.Seed) -> Bool {
        guard segment == other.segment, reference == other.reference else { return false }
        let middle = Double(other.stretch.lowerBound + other.stretch.upperBound) / 2
        return abs(alignment.position(at: middle) - other.alignment.position(at: middle)) < PlayFinder.lineTolerance
    }
}

extension PlayTracer.Followed {
    /// Returns the result with a step as zero of its time.
    func shifted(by start: Int) -> PlayTracer.Followed {
        var followed = self
        followed.reach = reach.lowerBound - start..<reach.upperBound - start
        guard var trace else { return followed }
        trace.alignment = trace.alignment.seen(from: Double(start))
        trace.stretch = trace.stretch.lowerBound - start..<trace.stretch.upperBound - start
        followed.trace = trace
        return followed
    }
}
