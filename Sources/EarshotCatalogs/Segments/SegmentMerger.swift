import EarshotCore
import EarshotSegments
import Foundation

/// Writes the remaining references of several segments as one segment, with the same bytes as if they were laid out
/// anew.
///
/// Only postings are decoded, and of these a part of the keys at a time. Names, items and landmarks are copied. A
/// reference begins at a whole unit of the timeline, so its postings move by whole units. The postings of the new
/// segment are those of the old ones, moved and sorted. Memory holds a record and a name for each reference, eight
/// bytes for each block of postings, and one part of the keys.
enum SegmentMerger {
    /// A segment, its removed references, and its name for errors.
    struct Source {
        var target: MaskedSegment
        var name: String
    }

    /// The approximate number of postings that are held in memory at once, unless stated.
    static let standardPieceCount = 1 << 20

    /// Merges segments to a file.
    ///
    /// - Parameters:
    ///   - sources: The segments, in order of adding.
    ///   - limits: The query limits of the new file.
    ///   - url: The file to write; it appears complete or not at all.
    /// - Throws: `catalogInvalid` if a segment is damaged or a limit of the format is exceeded; `writeFailed`;
    ///   `destinationExists`.
    static func merge(
        _ sources: [Source],
        limits: QueryLimits,
        to url: URL
    ) throws(EarshotError) {
        let file = try AtomicFile(url)
        try merge(sources, limits: limits, into: file)
        try file.commit(replacing: false)
    }

    /// Merges segments in memory and returns the bytes.
    static func image(
        of sources: [Source],
        limits: QueryLimits,
        pieceCount: Int = standardPieceCount
    ) throws(EarshotError) -> [UInt8] {
        let memory = SegmentMemory()
        try merge(sources, limits: limits, into: memory, pieceCount: pieceCount)
        return memory.bytes
    }

    /// Merges segments to any destination.
    ///
    /// - Parameter pieceCount: The approximate number of postings that are held at once: eight bytes each, and half as
    ///   much for sorting.
    static func merge(
        _ sources: [Source],
        limits: QueryLimits,
        into sink: any SegmentSink,
        pieceCount: Int = standardPieceCount
    ) throws(EarshotError) {
        // Damaged content must not get a valid checksum.
        for source in sources {
            try source.target.segment.verifyChecksums(name: source.name)
            guard source.target.segment.hasOrderedBlocks else { throw disorder(source.name) }
        }
        let plan = try MergePlan(sources)
        var output = try SectionWriter(segment: sink)
        try output.write(SegmentFormat.Section.references) { output throws(EarshotError) in
            try plan.forEachRecord { record throws(EarshotError) in try output.append(record) }
        }
        try output.write(SegmentFormat.Section.info) { output throws(EarshotError) in
            try plan.copy(to: &output) { $0.infoRange($1) }
        }
        try output.write(SegmentFormat.Section.landmarks) { output throws(EarshotError) in
            try plan.copy(to: &output) { $0.landmarkRange($1) }
            try output.append([UInt8](repeating: 0, count: LandmarkBlocks.padding))
        }
        try output.write(SegmentFormat.Section.names) { output throws(EarshotError) in
            let names = try plan.names()
            for number in names.indices.sorted(by: { names[$0] < names[$1] }) {
                try output.append(withUnsafeBytes(of: UInt32(number).littleEndian) { Array($0) })
            }
        }
        let merge = PostingMerge(plan.parts, pieceCount: pieceCount)
        let postingCount = merge.count()
        try output.reserveIndex(postingCount: postingCount)
        var writer = PostingWriter(frameCount: plan.frameCount, reserving: 0)
        try output.write(SegmentFormat.Section.postings) { output throws(EarshotError) in
            try merge.write(to: &writer) { bytes throws(EarshotError) in try output.append(bytes) }
        }
        guard writer.postingCount == postingCount else {
            throw disorder(sources.map(\.name).joined(separator: " or "))
        }
        try output.fillIndex(blockKeys: writer.blockKeys, offsets: writer.offsets)
        try output.finish(
            referenceCount: plan.referenceCount,
            frameCount: plan.frameCount,
            postingCount: postingCount,
            hasBits: plan.hasBits,
            limits: limits
        )
    }

    private static func disorder(_ name: String) -> EarshotError {
        EarshotError(.catalogInvalid, "\(name) is damaged: the postings are not in order. Make it again.")
    }

    /// Writes a copy of a segment's bytes to a new file.
    static func copy(_ segment: Segment, to url: URL) throws(EarshotError) {
        let file = try AtomicFile(url)
        try copy(segment, into: file)
        try file.commit(replacing: false)
    }

    /// Writes a copy of a segment's bytes to any destination.
    static func copy(_ segment: Segment, into sink: any SegmentSink) throws(EarshotError) {
        try segment.bytes.forEachPiece(of: 0..<segment.bytes.count) { piece throws(EarshotError) in
            try sink.write(Array(piece))
        }
    }
}
