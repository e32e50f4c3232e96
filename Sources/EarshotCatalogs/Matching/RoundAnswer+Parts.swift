extension RoundAnswer {
    /// Returns the answer without the segments that another leaf answers for.
    package func keeping(_ segments: Set<Int>) -> RoundAnswer {
        guard !self.segments.allSatisfy(segments.contains) else { return self }
        var part = self
        part.isLast = false
        part.segments.removeAll { !segments.contains($0) }
        part.candidates.removeAll { !segments.contains($0.segment) }
        part.references.removeAll { !segments.contains($0.segment) }
        part.readings.removeAll { !segments.contains($0.segment) }
        return part
    }
}
