/// The frame of a segment file: a header of 64 bytes, a table of sections, a checksum over both, and the sections.
///
/// The header begins with magic number and version, and holds the length of the file at byte 24; the rest is the format's own.
/// An entry of the table is the number of the section (4 bytes), its checksum (4), its offset in the file (8) and its length (8).
/// The checksum, a CRC-32C, and four zeros follow. All numbers are little-endian.
package struct SectionLayout: Sendable {
    /// The header without the table.
    package static let headerSize = 64
    package static let entrySize = 24
    package static let maximumSections = 64
    static let lengthOffset = 24

    /// Eight bytes.
    package var magic: [UInt8]
    package var majorVersion: UInt16
    package var minorVersion: UInt16
    /// The place in the header of the number of sections, 4 bytes.
    package var countOffset: Int
    /// The offset of a section must be a multiple of this many bytes.
    package var alignment: Int

    package init(magic: [UInt8], majorVersion: UInt16, minorVersion: UInt16, countOffset: Int, alignment: Int = 1) {
        (self.magic, self.countOffset, self.alignment) = (magic, countOffset, alignment)
        (self.majorVersion, self.minorVersion) = (majorVersion, minorVersion)
    }

    /// Bytes in front of the first section.
    static func frontSize(sectionCount: Int) -> Int { headerSize + sectionCount * entrySize + 8 }
}

/// The place of a section in its file.
package struct SectionSpan: Hashable, Sendable {
    package var offset: Int
    package var count: Int
    package var checksum: UInt32

    package init(offset: Int = 0, count: Int = 0, checksum: UInt32 = 0) {
        (self.offset, self.count, self.checksum) = (offset, count, checksum)
    }

    package var range: Range<Int> { offset..<offset + count }
}
