import EarshotCore
import EarshotSegments
import Foundation

/// Writes what is left of several segments as one: the same bytes as if its references had been laid out anew.
///
/// Nothing is unpacked but postings, and of these a part of the keys at a time. Names, items and landmarks are copied. A
/// reference begins at a whole unit of the timeline, so its postings move by whole units, and the postings of the new
/// segment are those of the old ones, moved and put in order. What is held in memory is a record and a name a reference,
/// eight bytes a block of postings, and one part of the keys.
enum SegmentMerger {
    /// A segment, the references of it that do not count, and what to call it in errors.
    struct Source {
        var target: MaskedSegment
        var name: String
    }

    static let standardPieceCount = 1 << 20

    /// - Parameters:
    ///   - sources: In order of adding.
    ///   - limits: The query limits of the new file.
    ///   - url: The file to write; it appears complete or not at all.
    /// - Throws: `catalogInvalid` when a segment is damaged or a limit of the format is exceeded, `writeFailed`,
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

    /// The same in memory.
    static func image(
        of sources: [Source],
        limits: QueryLimits,
        pieceCount: Int = standardPieceCount
    ) throws(EarshotError) -> [UInt8] {
        let memory = SegmentMemory()
        try merge(sources, limits: limits, into: memory, pieceCount: pieceCount)
        return memory.bytes
    }

    /// The same to any place.
    ///
    /// - Parameter pieceCount: Postings that are held at once, about: eight bytes each, and half as much to sort them.
    static func merge(
        _ sources: [Source],
        limits: QueryLimits,
        into sink: any SegmentSink,
        pieceCount: Int = standardPieceCount
    ) throws(EarshotError) {
        // What is damaged must not get a checksum that fits.
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

    /// Writes a segment's own bytes.
    static func copy(_ segment: Segment, to url: URL) throws(EarshotError) {
        let file = try AtomicFile(url)
        try copy(segment, into: file)
        try file.commit(replacing: false)
    }

    /// The same to any place.
    static func copy(_ segment: Segment, into sink: any SegmentSink) throws(EarshotError) {
        try segment.bytes.forEachPiece(of: 0..<segment.bytes.count) { piece throws(EarshotError) in
            try sink.write(Array(piece))
        }
    }
}
