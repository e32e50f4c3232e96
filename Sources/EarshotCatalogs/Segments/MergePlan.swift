import EarshotCore
import EarshotSegments

/// The references of a merge, and their positions in the result.
struct MergePlan {
    /// A segment, and the new positions of its references.
    struct Part {
        let segment: Segment
        let name: String
        /// The numbers of the references that are kept, with their first frames on the new timeline.
        var taken: [(number: Int, firstFrame: Int)] = []
        /// Intervals of the old timeline, in units, with the shift of each. Neighbors that stay together share one.
        var stretches: [(units: Range<UInt32>, shift: Int)] = []
    }

    private(set) var parts: [Part] = []
    private(set) var referenceCount = 0
    /// The length of the new timeline, in frames.
    private(set) var frameCount = 0
    /// `true` if a reference has dense bits.
    private(set) var hasBits = false

    /// Plans a merge.
    ///
    /// - Throws: `catalogInvalid` if the result exceeds the timeline or the number of references of the format.
    init(_ sources: [SegmentMerger.Source]) throws(EarshotError) {
        for source in sources {
            let segment = source.target.segment
            var part = Part(segment: segment, name: source.name)
            for number in 0..<segment.referenceCount where !source.target.removed.contains(number) {
                let record = segment.records[number]
                part.taken.append((number, frameCount))
                hasBits = hasBits || record.bitSize > 0
                part.extend(over: record.frames, to: frameCount)
                frameCount = SegmentFormat.firstFrame(behind: frameCount + record.frameCount)
                guard frameCount < Int(UInt32.max) else { throw SegmentWriter.tooLong }
            }
            referenceCount += part.taken.count
            parts.append(part)
        }
        guard referenceCount <= SegmentFormat.maximumReferences else { throw SegmentWriter.tooManyReferences }
    }

    /// Calls `body` with the fixed record of each reference, updated to its new positions.
    func forEachRecord(_ body: ([UInt8]) throws(EarshotError) -> Void) throws(EarshotError) {
        var (landmarks, info) = (UInt64(0), UInt64(0))
        for part in parts {
            for (number, firstFrame) in part.taken {
                var record = part.segment.bytes.array(part.segment.recordRange(number))
                func put(_ number: some FixedWidthInteger, at offset: Int) {
                    withUnsafeBytes(of: number.littleEndian) {
                        record.replaceSubrange(offset..<offset + $0.count, with: $0)
                    }
                }
                put(UInt32(firstFrame), at: 0)
                put(landmarks, at: 24)
                put(info, at: 32)
                landmarks += UInt64(part.segment.landmarkRange(number).count)
                info += UInt64(part.segment.infoRange(number).count)
                try body(record)
            }
        }
    }

    /// Copies one range of the file of each reference.
    func copy(
        to output: inout SectionWriter,
        _ range: (Segment, Int) -> Range<Int>
    ) throws(EarshotError) {
        for part in parts {
            var read = 0
            for (number, _) in part.taken {
                let range = range(part.segment, number)
                try output.append(UnsafeRawBufferPointer(rebasing: part.segment.bytes.base[range]))
                read += range.count
                if read >= 8 << 20 {
                    part.segment.bytes.release()
                    read = 0
                }
            }
            part.segment.bytes.release()
        }
    }

    /// Returns the name of each reference.
    ///
    /// - Throws: `catalogInvalid` if a name cannot be read.
    func names() throws(EarshotError) -> [ReferenceID] {
        var names: [ReferenceID] = []
        names.reserveCapacity(referenceCount)
        for part in parts {
            for (number, _) in part.taken {
                guard let id = part.segment.id(number) else {
                    throw EarshotError(
                        .catalogInvalid,
                        "\(part.name) is damaged: reference \(number + 1) cannot be read. Make it again."
                    )
                }
                names.append(id)
            }
        }
        return names
    }
}

extension MergePlan.Part {
    /// Adds the frames of one more reference.
    fileprivate mutating func extend(over frames: Range<Int>, to firstFrame: Int) {
        let shift = (firstFrame - frames.lowerBound) >> PostingCode.unitShift
        // Ends after the unit of its last frame. There are no postings between two references.
        let units =
            UInt32(
                frames.lowerBound >> PostingCode.unitShift
            )..<UInt32(
                (frames.upperBound - 1) >> PostingCode.unitShift + 1
            )
        if let last = stretches.last, last.shift == shift {
            stretches[stretches.count - 1].units = last.units.lowerBound..<units.upperBound
        } else {
            stretches.append((units, shift))
        }
    }
}
