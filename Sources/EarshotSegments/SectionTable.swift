import EarshotCore

/// The frame of a segment file, read and checked. The format's own fields of the header may be read once this exists.
package struct SectionTable: Sendable {
    /// The checksum of header and table, which covers the checksums of all sections.
    package let checksum: UInt32
    private let bytes: MappedBytes
    private let layout: SectionLayout
    private let count: Int

    /// Checks the frame of a file, all but the places of its sections.
    package init(_ bytes: MappedBytes, layout: SectionLayout) throws(FormatDamage) {
        guard bytes.count >= 12, bytes.array(0..<8) == layout.magic else { throw .foreign }
        let major = bytes.load(UInt16.self, at: 8)
        guard major == layout.majorVersion else {
            throw .version(major: major, minor: bytes.load(UInt16.self, at: 10))
        }
        guard bytes.count >= SectionLayout.frontSize(sectionCount: 0) else { throw .truncated }
        count = Int(bytes.load(UInt32.self, at: layout.countOffset))
        let front = SectionLayout.frontSize(sectionCount: min(count, SectionLayout.maximumSections))
        guard count <= SectionLayout.maximumSections, front <= bytes.count,
            bytes.load(UInt64.self, at: SectionLayout.lengthOffset) == UInt64(bytes.count)
        else { throw .length }
        checksum = bytes.load(UInt32.self, at: front - 8)
        guard CRC32C.checksum(UnsafeRawBufferPointer(rebasing: bytes.base[..<(front - 8)])) == checksum else {
            throw .checksum
        }
        (self.bytes, self.layout) = (bytes, layout)
    }

    /// The places of all sections of a format. Sections of numbers that it does not know are passed over.
    ///
    /// Every section lies inside the file, so that reads within its span do.
    package func spans<Section: RawRepresentable<UInt32> & CaseIterable & Hashable>(
        of type: Section.Type
    ) throws(FormatDamage) -> [Section: SectionSpan] {
        var spans: [Section: SectionSpan] = [:]
        for index in 0..<count {
            let at = SectionLayout.headerSize + index * SectionLayout.entrySize
            let offset = Int(clamping: bytes.load(UInt64.self, at: at + 8))
            let count = Int(clamping: bytes.load(UInt64.self, at: at + 16))
            guard offset <= bytes.count, count <= bytes.count - offset, offset % layout.alignment == 0 else {
                throw .misplacedSection
            }
            guard let section = Section(rawValue: bytes.load(UInt32.self, at: at)) else { continue }
            let span = SectionSpan(offset: offset, count: count, checksum: bytes.load(UInt32.self, at: at + 4))
            guard spans.updateValue(span, forKey: section) == nil else { throw .repeatedSection }
        }
        guard spans.count == Section.allCases.count else { throw .missingSection }
        return spans
    }
}
