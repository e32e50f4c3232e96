import EarshotCore
import EarshotSignatures

/// The header of a segment, checked: every section it names lies inside the file.
struct SegmentHeader {
    let limits: Catalog.QueryLimits
    let referenceCount: Int
    let frameCount: Int
    let postingCount: Int
    /// Its own checksum, which covers those of all sections.
    let checksum: UInt32
    let sections: [SegmentFormat.Section: Segment.Span]

    init(_ bytes: MappedBytes, name: String) throws(EarshotError) {
        func invalid(_ what: String) -> EarshotError { EarshotError(.catalogInvalid, "\(name) \(what).") }
        guard bytes.count >= 12, bytes.array(0..<8) == SegmentFormat.magic else {
            throw invalid("is not a catalog: make one with `earshot catalog create`")
        }
        let major = bytes.load(UInt16.self, at: 8)
        let minor = bytes.load(UInt16.self, at: 10)
        guard major == SegmentFormat.majorVersion else {
            throw invalid("has version \(major).\(minor), and this program reads version 1: update the program")
        }
        guard bytes.count >= SegmentFormat.headerSize + 8 else { throw invalid("is cut short: make it again") }
        let sectionCount = Int(bytes.load(UInt32.self, at: 44))
        let tableEnd = SegmentFormat.headerSize + sectionCount * SegmentFormat.sectionEntrySize
        guard sectionCount <= SegmentFormat.maximumSections, tableEnd + 8 <= bytes.count,
            bytes.load(UInt64.self, at: 24) == UInt64(bytes.count)
        else { throw invalid("is cut short or has a wrong length: make it again") }
        let checked = UnsafeRawBufferPointer(rebasing: bytes.base[..<tableEnd])
        guard CRC32C.checksum(checked) == bytes.load(UInt32.self, at: tableEnd) else {
            throw invalid("is damaged: the checksum of its header does not fit. Make it again")
        }
        checksum = bytes.load(UInt32.self, at: tableEnd)
        let configuration = bytes.load(UInt32.self, at: 12)
        let scheme = bytes.load(UInt32.self, at: 16)
        guard scheme >= LandmarkKey.scheme else {
            throw invalid("was made by an earlier version of this program: make it again")
        }
        guard SignatureConfiguration(id: configuration) != nil, scheme == LandmarkKey.scheme else {
            throw invalid(
                "was made with configuration \(configuration) and index \(scheme), which this program does not know: "
                    + "update the program"
            )
        }
        referenceCount = Int(bytes.load(UInt32.self, at: 20))
        frameCount = Int(bytes.load(UInt32.self, at: 32))
        limits = Catalog.QueryLimits(
            minimumMilliseconds: Int(bytes.load(UInt32.self, at: 36)),
            maximumMilliseconds: Int(bytes.load(UInt32.self, at: 40))
        )
        postingCount = Int(clamping: bytes.load(UInt64.self, at: 48))
        var sections: [SegmentFormat.Section: Segment.Span] = [:]
        for index in 0..<sectionCount {
            let at = SegmentFormat.headerSize + index * SegmentFormat.sectionEntrySize
            let offset = Int(clamping: bytes.load(UInt64.self, at: at + 8))
            let count = Int(clamping: bytes.load(UInt64.self, at: at + 16))
            guard offset <= bytes.count, count <= bytes.count - offset else {
                throw invalid("is cut short: make it again")
            }
            guard let section = SegmentFormat.Section(rawValue: bytes.load(UInt32.self, at: at)) else { continue }
            sections[section] = Segment.Span(
                offset: offset,
                count: count,
                checksum: bytes.load(UInt32.self, at: at + 4)
            )
        }
        guard sections.count == SegmentFormat.Section.allCases.count else {
            throw invalid("lacks a part of its format: make it again")
        }
        self.sections = sections
    }
}
