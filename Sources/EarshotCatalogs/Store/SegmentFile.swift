package import EarshotCore
import EarshotSegments
package import Foundation

/// A catalog file that is opened as a part of a larger catalog, for stores that manage segments by their own rules.
package struct SegmentFile: Sendable {
    /// The address of the file.
    package let url: URL
    let segment: Segment

    /// Opens a file and checks its header and the shape of its sections. Use ``checksum()`` to check the content.
    ///
    /// - Throws: `catalogAddressInvalid` if the file cannot be read, `catalogInvalid` if it is damaged.
    package init(contentsOf url: URL) throws(EarshotError) {
        self.url = url
        segment = try Segment(try MappedBytes(catalog: url), name: url.path)
    }

    /// The number of references.
    package var referenceCount: Int { segment.referenceCount }
    /// The size of the file, in bytes.
    package var byteCount: Int { segment.bytes.count }
    /// The number of frames on its timeline, at most 2^32 − 1.
    package var frameCount: Int { segment.frameCount }

    /// Reads all bytes and returns their CRC-32C.
    package func checksum() -> UInt32 { segment.bytes.checksum(of: 0..<segment.bytes.count) }

    /// Merges several files to one, with the references in order of the files.
    ///
    /// - Parameter url: The file to write; it appears complete or not at all.
    /// - Throws: `catalogInvalid` if one is damaged or a limit of the format is exceeded; `writeFailed`;
    ///   `destinationExists`.
    package static func merge(_ files: [SegmentFile], to url: URL) throws(EarshotError) {
        let sources = files.map { file in
            SegmentMerger.Source(target: MaskedSegment(segment: file.segment, removed: []), name: file.url.path)
        }
        try SegmentMerger.merge(sources, limits: files.first?.segment.limits ?? .standard, to: url)
    }
}

extension Catalog {
    /// Creates a catalog that searches several files as one. A name may occur in several of them; ``places(of:)`` tells
    /// them apart.
    package init(_ files: [SegmentFile], name: String) {
        self.init(
            targets: files.map { MaskedSegment(segment: $0.segment, removed: []) },
            queryLimits: files.first?.segment.limits ?? .standard,
            name: name
        )
    }
}
