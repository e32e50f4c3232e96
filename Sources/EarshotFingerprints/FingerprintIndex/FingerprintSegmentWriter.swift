import EarshotSegments
import EarshotCore

/// Lays fingerprints out as a segment. The same ones in the same order give the same bytes.
///
/// Sub-fingerprints go to the sink at once. Of every fingerprint some 120 postings of eight bytes are held until the end, and as
/// many again while they are sorted: a million fingerprints take 2 GB. Larger segments come of merging smaller ones.
struct FingerprintSegmentWriter {
    private typealias Format = FingerprintSegmentFormat

    let algorithm: FileFingerprint.Algorithm
    private var output: SectionWriter
    private var records = ByteWriter()
    private var postings: [UInt64] = []
    private var valueCount = 0
    private(set) var count = 0

    init(_ sink: any SegmentSink, algorithm: FileFingerprint.Algorithm) throws(EarshotError) {
        self.algorithm = algorithm
        output = try SectionWriter(fingerprints: sink)
        output.begin(Format.Section.values)
    }

    /// Adds a fingerprint under a number of the caller's choice.
    ///
    /// - Throws: `requestInvalid` for another algorithm, or when the segment is full; `writeFailed`.
    mutating func add(_ fingerprint: FileFingerprint, id: UInt64) throws(EarshotError) {
        guard fingerprint.algorithm == algorithm else {
            throw EarshotError(
                .requestInvalid,
                "A fingerprint of algorithm \(fingerprint.algorithm.rawValue) does not fit into an index of algorithm "
                    + "\(algorithm.rawValue): make it with that one."
            )
        }
        guard count < Format.maximumDocuments else {
            throw EarshotError(
                .requestInvalid,
                "A segment holds at most 16,777,216 fingerprints: begin another one."
            )
        }
        let values = fingerprint.values.prefix(Format.mostValues)
        for term in FingerprintTerms.terms(of: values) {
            postings.append(UInt64(term) << Format.documentBits | UInt64(count))
        }
        let kept = Self.kept(of: fingerprint).map(\.littleEndian)
        try kept.withUnsafeBytes(orThrow: { bytes throws(EarshotError) in try output.append(bytes) })
        records.write(id)
        records.write(Self.milliseconds(fingerprint.duration))
        records.write(UInt32(fingerprint.values.count))
        records.write(UInt64(valueCount))
        valueCount += kept.count
        count += 1
    }

    /// The sub-fingerprints that a segment keeps.
    static func kept(of fingerprint: FileFingerprint) -> [UInt32] {
        let values = fingerprint.values.prefix(Format.mostValues)
        return stride(from: 0, to: values.count, by: Format.step).map { values[$0] }
    }

    /// Whole milliseconds of a duration; the most there can be when it is not known.
    static func milliseconds(_ duration: MediaTime) -> UInt32 {
        let milliseconds = duration.converted(toTimescale: 1000)
        return milliseconds.isNumeric ? UInt32(clamping: milliseconds.value) : .max
    }

    /// Writes the index and the header.
    mutating func finish() throws(EarshotError) {
        try output.end(Format.Section.values)
        try output.write(Format.Section.documents, records.bytes)
        RadixSort.sort(&postings, bits: Int(FingerprintTerms.bits) + Int(Format.documentBits))
        var encoder = PostingEncoder()
        output.begin(Format.Section.postings)
        for start in stride(from: 0, to: postings.count, by: 1 << 16) {
            try output.append { writer in
                for key in postings[start..<min(postings.count, start + 1 << 16)] { encoder.append(key, to: &writer) }
            }
        }
        encoder.finish()
        try output.end(Format.Section.postings)
        try output.write(Format.Section.keys, encoder.keys)
        try output.write(Format.Section.buckets, encoder.buckets)
        try output.write(Format.Section.offsets, encoder.offsets)
        try output.finish(
            algorithm: algorithm,
            documentCount: count,
            postingCount: encoder.count,
            valueCount: valueCount
        )
    }
}

extension Array {
    /// The memory of an array, for a body that throws a stated error.
    func withUnsafeBytes<Failure: Error>(
        orThrow body: (UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        let result: Result<Void, Failure> = withUnsafeBytes { bytes in
            Result { () throws(Failure) in try body(bytes) }
        }
        try result.get()
    }
}
