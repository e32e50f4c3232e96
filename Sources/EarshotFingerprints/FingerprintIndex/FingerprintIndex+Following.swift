import EarshotCore

/// Fingerprints whose numbers ascend in the order in which they were added, as those of a store do.
extension FingerprintIndex {
    /// The largest number of a fingerprint; 0 if there are none.
    var lastID: UInt64 { ids(below: .max, limit: 1).first ?? 0 }

    /// The largest numbers below one, in descending order.
    func ids(below end: UInt64, limit: Int) -> [UInt64] {
        let snapshot = snapshot
        // A few of each segment: merges keep the order.
        let found = zip(snapshot.segments, snapshot.manifest.entries).flatMap { segment, entry in
            (0..<segment.firstNumber(from: end)).reversed().lazy.filter { !entry.removed.contains(UInt32($0)) }
                .prefix(limit).map(segment.id)
        }
        return Array(found.sorted(by: >).prefix(limit))
    }

    /// Returns `true` if the index contains a fingerprint under its number.
    func holds(_ entry: Entry) -> Bool {
        guard entry.fingerprint.algorithm == algorithm else { return false }
        let snapshot = snapshot
        return zip(snapshot.segments, snapshot.manifest.entries).contains { segment, kept in
            var number = segment.firstNumber(from: entry.id)
            while number < segment.documentCount, segment.id(number) == entry.id {
                if !kept.removed.contains(UInt32(number)), segment.holds(entry.fingerprint, at: number) { return true }
                number += 1
            }
            return false
        }
    }

    /// Removes all fingerprints from a number on.
    ///
    /// - Throws: `storeUnavailable` when the index was opened for reading; `writeFailed`.
    func removeAll(from id: UInt64) throws(EarshotError) {
        try change { snapshot throws(EarshotError) in
            for (index, segment) in snapshot.segments.enumerated() {
                for number in segment.firstNumber(from: id)..<segment.documentCount {
                    snapshot.manifest.entries[index].removed.insert(UInt32(number))
                }
            }
        }
    }
}

extension FingerprintSegment {
    /// The place of the first fingerprint whose number is not less than one, where numbers ascend.
    fileprivate func firstNumber(from id: UInt64) -> Int {
        var (low, high) = (0, documentCount)
        while low < high {
            let middle = (low + high) / 2
            if self.id(middle) < id { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Returns whether a record is of a fingerprint, as far as the segment keeps it.
    fileprivate func holds(_ fingerprint: FileFingerprint, at number: Int) -> Bool {
        guard let record = record(number), record.count == fingerprint.values.count,
            record.milliseconds == FingerprintSegmentWriter.milliseconds(fingerprint.duration)
        else { return false }
        return withValues(record) { $0.elementsEqual(FingerprintSegmentWriter.kept(of: fingerprint)) }
    }
}
