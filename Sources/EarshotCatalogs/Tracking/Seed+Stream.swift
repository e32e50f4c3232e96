import EarshotSignatures

// Findings on a stream's timeline and on that of a window of it.
extension PlayTracer.Seed {
    /// The same finding with the stream's step at which a window begins as its first.
    func shifted(by start: Int) -> PlayTracer.Seed {
        var seed = self
        seed.alignment = alignment.seen(from: Double(start))
        let begin = max(0, stretch.lowerBound - start)
        seed.stretch = begin..<max(begin + 1, stretch.upperBound - start)
        seed.followed = followed.flatMap { $0.reach.lowerBound < start ? nil : $0.shifted(by: start) }
        return seed
    }

    /// Keeps what following came to in a window, if a look at another window cannot come to anything else.
    mutating func keep(_ followed: PlayTracer.Followed, within window: Range<Int>) {
        self.followed = window.contains(followed.reach) ? followed : nil
    }

    /// Returns `true` if another finding lies on the same line of the same reference, within 0.25 s.
    func isOnLine(of other: PlayTracer.Seed) -> Bool {
        guard segment == other.segment, reference == other.reference else { return false }
        let middle = Double(other.stretch.lowerBound + other.stretch.upperBound) / 2
        return abs(alignment.position(at: middle) - other.alignment.position(at: middle)) < PlayFinder.lineTolerance
    }
}

extension PlayTracer.Followed {
    /// The same with a step as its first.
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
