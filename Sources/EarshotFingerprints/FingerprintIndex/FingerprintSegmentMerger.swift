import EarshotSegments
import EarshotCore

/// Makes one segment out of several: the bytes that their fingerprints would give when they were added to one at once, in the
/// same order and without those that were removed.
///
/// Nothing is held but a few bytes for every fingerprint; the parts are read in order and written in order.
struct FingerprintSegmentMerger {
    private typealias Format = FingerprintSegmentFormat

    /// A segment and the numbers of its fingerprints that are left out.
    struct Source {
        let segment: FingerprintSegment
        let removed: Set<UInt32>

        var count: Int { segment.documentCount - removed.count }
    }

    /// Writes the segment. A source that is damaged is refused before anything is copied of it.
    ///
    /// - Throws: `storeDamaged`, `writeFailed`; `requestInvalid` when the sources do not fit into one segment.
    static func merge(_ sources: [Source], to sink: any SegmentSink) throws(EarshotError) {
        let algorithm = sources.first?.segment.algorithm ?? .standard
        let count = sources.reduce(0) { $0 + $1.count }
        guard count <= Format.maximumDocuments, sources.allSatisfy({ $0.segment.algorithm == algorithm }) else {
            throw EarshotError(
                .requestInvalid,
                "The segments have different algorithms, or more than 16,777,216 fingerprints together: merge fewer, of one algorithm."
            )
        }
        for source in sources { try source.segment.verifyChecksums() }
        var output = try SectionWriter(fingerprints: sink)
        output.begin(Format.Section.values)
        for source in sources { try copyValues(of: source, to: &output) }
        try output.end(Format.Section.values)
        output.begin(Format.Section.documents)
        var firstValue = 0
        for source in sources { try copyRecords(of: source, firstValue: &firstValue, to: &output) }
        try output.end(Format.Section.documents)
        let encoder = try mergePostings(sources, to: &output)
        try output.write(Format.Section.keys, encoder.keys)
        try output.write(Format.Section.buckets, encoder.buckets)
        try output.write(Format.Section.offsets, encoder.offsets)
        try output.finish(
            algorithm: algorithm,
            documentCount: count,
            postingCount: encoder.count,
            valueCount: firstValue
        )
    }

    private static func copyValues(
        of source: Source,
        to output: inout SectionWriter
    ) throws(EarshotError) {
        let segment = source.segment
        var run = 0..<0
        for number in 0..<segment.documentCount {
            guard let record = segment.record(number) else {
                throw FingerprintSegment.damaged(segment.name, "fingerprint \(number + 1) breaks the format")
            }
            if source.removed.contains(UInt32(number)) { continue }
            if record.firstValue != run.upperBound || run.count > 1 << 20 {
                try copy(run, of: segment, to: &output)
                run = record.firstValue..<record.firstValue
            }
            run = run.lowerBound..<record.firstValue + record.keptCount
        }
        try copy(run, of: segment, to: &output)
        segment.bytes.release()
    }

    private static func copy(
        _ run: Range<Int>,
        of segment: FingerprintSegment,
        to output: inout SectionWriter
    ) throws(EarshotError) {
        let start = segment.valueSpan.offset
        let range = start + run.lowerBound * 4..<start + run.upperBound * 4
        try output.append(UnsafeRawBufferPointer(rebasing: segment.bytes.base[range]))
    }

    private static func copyRecords(
        of source: Source,
        firstValue: inout Int,
        to output: inout SectionWriter
    ) throws(EarshotError) {
        for number in 0..<source.segment.documentCount where !source.removed.contains(UInt32(number)) {
            guard let record = source.segment.record(number) else { continue }
            let first = UInt64(firstValue)
            try output.append { writer in
                writer.write(record.id)
                writer.write(record.milliseconds)
                writer.write(UInt32(record.count))
                writer.write(first)
            }
            firstValue += record.keptCount
        }
    }

    private static func mergePostings(
        _ sources: [Source],
        to output: inout SectionWriter
    ) throws(EarshotError) -> PostingEncoder {
        var encoder = PostingEncoder()
        var cursors: [Cursor] = []
        var base: UInt32 = 0
        for source in sources {
            cursors.append(Cursor(source, base: base))
            base += UInt32(source.count)
        }
        output.begin(Format.Section.postings)
        // The lowest term of all; then the sources in order, which is the order of the fingerprints' new numbers.
        while let term = cursors.lazy.compactMap(\.term).min() {
            for index in cursors.indices where cursors[index].term == term {
                try output.append { writer in cursors[index].take(term, into: &encoder, &writer) }
            }
        }
        encoder.finish()
        try output.end(Format.Section.postings)
        return encoder
    }

    /// Goes through the postings of one source under the new numbers.
    private struct Cursor {
        private static let mask: UInt64 = 1 << FingerprintSegmentFormat.documentBits - 1

        private var postings: PostingCursor
        /// The new number of each fingerprint; absent where all keep their order and only the base is added.
        private let numbers: [UInt32]?
        private let base: UInt32
        private let count: Int

        init(_ source: Source, base: UInt32) {
            postings = PostingCursor(source.segment)
            self.base = base
            count = source.segment.documentCount
            guard !source.removed.isEmpty else {
                numbers = nil
                return
            }
            var next = base
            numbers = (0..<UInt32(count)).map { number in
                guard !source.removed.contains(number) else { return .max }
                next += 1
                return next - 1
            }
        }

        @inline(__always)
        var term: UInt32? {
            postings.current.map { UInt32(truncatingIfNeeded: $0 >> FingerprintSegmentFormat.documentBits) }
        }

        /// Writes all postings of a term.
        mutating func take(_ term: UInt32, into encoder: inout PostingEncoder, _ writer: inout ByteWriter) {
            let end = UInt64(term + 1) << FingerprintSegmentFormat.documentBits
            while let key = postings.current, key < end {
                let number = Int(key & Self.mask)
                postings.advance()
                // A damaged posting is left out, as is one of a fingerprint that was removed.
                guard number < count else { continue }
                let new = numbers?[number] ?? base + UInt32(number)
                guard new != .max else { continue }
                encoder.append(UInt64(term) << FingerprintSegmentFormat.documentBits | UInt64(new), to: &writer)
            }
        }
    }
}
