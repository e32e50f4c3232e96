import EarshotCatalogs
import EarshotCore

/// The header of a segment, checked: every section it names lies inside the file.
struct FingerprintSegmentHeader {
    private typealias Format = FingerprintSegmentFormat

    let algorithm: FileFingerprint.Algorithm
    let documentCount: Int
    let postingCount: Int
    let valueCount: Int
    let sections: [FingerprintSegmentFormat.Section: FingerprintSegmentFormat.Span]

    init(_ bytes: MappedBytes, name: String) throws(EarshotError) {
        func damaged(_ what: String) -> EarshotError { FingerprintSegment.damaged(name, what) }
        guard bytes.count >= 12, bytes.array(0..<8) == Format.magic else {
            throw EarshotError(.storeDamaged, "\(name) is no segment of a fingerprint index: check the path.")
        }
        let major = bytes.load(UInt16.self, at: 8)
        guard major == Format.majorVersion else {
            throw EarshotError(
                .storeDamaged,
                "\(name) has version \(major).\(bytes.load(UInt16.self, at: 10)), and this program reads version 1: "
                    + "update the program."
            )
        }
        guard bytes.count >= Format.headerSize + 8 else { throw damaged("it is cut short") }
        let sectionCount = Int(bytes.load(UInt32.self, at: 52))
        let tableEnd = Format.headerSize + sectionCount * Format.sectionEntrySize
        guard sectionCount <= Format.maximumSections, tableEnd + 8 <= bytes.count,
            bytes.load(UInt64.self, at: 24) == UInt64(bytes.count)
        else { throw damaged("it is cut short or has a wrong length") }
        let checked = UnsafeRawBufferPointer(rebasing: bytes.base[..<tableEnd])
        guard CRC32C.checksum(checked) == bytes.load(UInt32.self, at: tableEnd) else {
            throw damaged("the checksum of its header does not fit")
        }
        let (algorithm, scheme) = (bytes.load(UInt32.self, at: 12), bytes.load(UInt32.self, at: 16))
        guard let known = FileFingerprint.Algorithm(rawValue: Int(algorithm)), scheme == FingerprintTerms.scheme,
            bytes.load(UInt32.self, at: 48) == UInt32(Format.step)
        else {
            throw EarshotError(
                .storeDamaged,
                "\(name) was made with algorithm \(algorithm) and terms \(scheme), which this program does not know: "
                    + "update the program, or make the index again."
            )
        }
        self.algorithm = known
        documentCount = Int(bytes.load(UInt32.self, at: 20))
        postingCount = Int(clamping: bytes.load(UInt64.self, at: 32))
        valueCount = Int(clamping: bytes.load(UInt64.self, at: 40))
        guard documentCount <= Format.maximumDocuments else { throw damaged("it has too many fingerprints") }
        var sections: [Format.Section: Format.Span] = [:]
        for index in 0..<sectionCount {
            let at = Format.headerSize + index * Format.sectionEntrySize
            let offset = Int(clamping: bytes.load(UInt64.self, at: at + 8))
            let count = Int(clamping: bytes.load(UInt64.self, at: at + 16))
            guard offset <= bytes.count, count <= bytes.count - offset, offset % 8 == 0 else {
                throw damaged("a section lies outside of it")
            }
            guard let section = Format.Section(rawValue: bytes.load(UInt32.self, at: at)) else { continue }
            guard sections[section] == nil else { throw damaged("a section stands in it twice") }
            sections[section] = Format.Span(offset: offset, count: count, checksum: bytes.load(at: at + 4))
        }
        guard sections.count == Format.Section.allCases.count else { throw damaged("it lacks a section") }
        self.sections = sections
    }
}
