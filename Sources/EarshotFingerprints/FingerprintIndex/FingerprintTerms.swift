/// The terms under which a fingerprint stands in the index: leading bits of the sub-fingerprints of one stretch of it.
enum FingerprintTerms {
    /// The number of the way in which terms are made. Terms made in another way cannot be used.
    static let scheme: UInt32 = 1
    /// Bits of a term.
    static let bits: UInt32 = 24
    /// Sub-fingerprints of sound that are passed over first: the begin of a track is what encoders, players and labels change
    /// most.
    static let start = 80
    /// Sub-fingerprints that give terms: 15 s.
    static let length = 120

    /// The term of a sub-fingerprint.
    @inline(__always)
    static func term(of value: UInt32) -> UInt32 { value >> (32 - bits) }

    /// The terms of a fingerprint, each once, in order of time.
    ///
    /// The stretch is counted from the first sound, so that silence before it changes nothing, and begins earlier where the
    /// fingerprint is too short for all of it.
    static func terms(of values: some RandomAccessCollection<UInt32>) -> [UInt32] {
        guard let first = values.firstIndex(where: { $0 != FileFingerprint.silence }) else { return [] }
        let sounding = values[first...].lazy.filter { $0 != FileFingerprint.silence }
        let available = sounding.prefix(start + length).count
        let skipped = max(0, min(start, available - length))
        var terms: [UInt32] = []
        terms.reserveCapacity(length)
        // Neighbours are often equal, so most repeats are found at once.
        var seen = Set<UInt32>(minimumCapacity: length)
        for value in sounding.dropFirst(skipped).prefix(length) {
            let term = term(of: value)
            if term != terms.last, seen.insert(term).inserted { terms.append(term) }
        }
        return terms
    }

    /// The terms that differ from one in one bit.
    static func neighbours(of term: UInt32) -> [UInt32] { (0..<bits).map { term ^ 1 << $0 } }

    /// The terms that differ from one in two bits.
    static func secondNeighbours(of term: UInt32) -> [UInt32] {
        (1..<bits).flatMap { high in (0..<high).map { term ^ (1 << high | 1 << $0) } }
    }
}
