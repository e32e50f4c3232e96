import EarshotCatalogs
import EarshotCore
import EarshotSegments
import EarshotSignatures
import Foundation

/// Makes the segments of a bundle: parts of some hours each, as references come, which are merged at the end.
struct SegmentBuilder {
    /// Landmarks of one part: some three hours of music.
    private static let partLandmarks = 1 << 19
    /// The largest total duration of the references of a part. A timeline holds 19,000 hours.
    private static let partDuration = MediaTime(value: 3_600 * 2_000, timescale: 1)
    /// Bytes and frames from which on parts are not merged into one segment any more.
    private static let segmentSize = 512 << 20
    private static let segmentFrames = 1 << 31

    private let folder: URL
    /// The folder of parts until the end.
    private let workFolder: URL
    private var part = Catalog()
    private var landmarkCount = 0
    private var duration = MediaTime.zero
    private var parts: [URL] = []

    init(_ folder: URL) throws(EarshotError) {
        self.folder = folder
        workFolder = folder.appendingPathComponent(".earshot-\(UUID().uuidString).partial", isDirectory: true)
        do {
            try FileManager.default.createDirectory(at: workFolder, withIntermediateDirectories: false)
        } catch {
            throw EarshotError(
                .writeFailed,
                "Cannot write in the folder \(folder.path): check that you may write there.",
                cause: error
            )
        }
    }

    mutating func add(_ reference: BundleReference) throws(EarshotError) {
        do {
            try part.add(reference.signature, representing: [reference.item], id: reference.id)
        } catch {
            throw BundleFormat.invalid("The bundle", "has a reference that cannot be used", cause: error)
        }
        landmarkCount += reference.signature.landmarks.count
        duration += reference.signature.duration
        if landmarkCount >= Self.partLandmarks || duration >= Self.partDuration { try endPart() }
    }

    private mutating func endPart() throws(EarshotError) {
        guard !part.isEmpty else { return }
        let url = workFolder.appendingPathComponent("\(parts.count).earcat")
        try part.write(to: url)
        parts.append(url)
        part = Catalog()
        (landmarkCount, duration) = (0, .zero)
    }

    /// Merges the parts into segments in the folder of the store.
    ///
    /// - Parameter nextNumber: The number of the next file; counted on.
    mutating func finish(nextNumber: inout UInt64) throws(EarshotError) -> [BundleStoreManifest.File] {
        try endPart()
        var files: [BundleStoreManifest.File] = []
        var group: [SegmentFile] = []
        for url in parts {
            let next = try SegmentFile(contentsOf: url)
            let size = group.reduce(next.byteCount) { $0 + $1.byteCount }
            let frames = group.reduce(next.frameCount) { $0 + $1.frameCount }
            if !group.isEmpty, size > Self.segmentSize || frames > Self.segmentFrames {
                files.append(try write(group, number: &nextNumber))
                group = []
            }
            group.append(next)
        }
        if !group.isEmpty { files.append(try write(group, number: &nextNumber)) }
        abandon()
        return files
    }

    private func write(
        _ group: [SegmentFile],
        number: inout UInt64
    ) throws(EarshotError) -> BundleStoreManifest.File {
        let url = folder.appendingPathComponent(BundleStoreManifest.segmentName(number))
        if group.count == 1 {
            guard rename(group[0].url.path, url.path) == 0 else {
                throw EarshotError(
                    .writeFailed,
                    "The finished segment cannot be moved to \(url.path) (\(String(cString: strerror(errno)))): check the folder and its rights."
                )
            }
        } else {
            try SegmentFile.merge(group, to: url)
            for file in group { unlink(file.url.path) }
        }
        let segment = try SegmentFile(contentsOf: url)
        defer { number += 1 }
        return BundleStoreManifest.File(
            number: number,
            size: UInt64(segment.byteCount),
            checksum: segment.checksum(),
            referenceCount: segment.referenceCount
        )
    }

    /// Removes the parts.
    func abandon() { try? FileManager.default.removeItem(at: workFolder) }
}
