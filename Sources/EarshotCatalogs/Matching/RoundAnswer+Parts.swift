extension RoundAnswer {
    /// What the answer says of some of its segments; the others are told by another leaf.
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
