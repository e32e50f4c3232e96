import EarshotCore
import EarshotSegments

extension SectionWriter {
    private typealias Format = FingerprintSegmentFormat

    /// A writer of a segment of fingerprints.
    init(fingerprints sink: any SegmentSink) throws(EarshotError) {
        try self.init(sink, sectionCount: Format.Section.allCases.count)
    }

    /// Writes the header of a segment of fingerprints. Nothing can be appended after this.
    mutating func finish(
        algorithm: FileFingerprint.Algorithm,
        documentCount: Int,
        postingCount: Int,
        valueCount: Int
    ) throws(EarshotError) {
        try finish { header, length, sectionCount in
            header.write(contentsOf: Format.layout.magic)
            header.write(Format.layout.majorVersion)
            header.write(Format.layout.minorVersion)
            header.write(UInt32(algorithm.rawValue))
            header.write(FingerprintTerms.scheme)
            header.write(UInt32(documentCount))
            header.write(length)
            header.write(UInt64(postingCount))
            header.write(UInt64(valueCount))
            header.write(UInt32(Format.step))
            header.write(sectionCount)
            header.write(UInt64(0))
        }
    }
}
