import EarshotCatalogs
import EarshotCore
import EarshotRecognition
import Foundation
import Synchronization

/// A bundle of a store with its files open, or what is wrong with them.
final class OpenBundle: Sendable {
    /// Files that are as they should be.
    struct Files: Sendable {
        var details: DetailFile
        var segments: [SegmentFile]
    }

    let entry: BundleStoreManifest.Entry
    let files: Result<Files, EarshotError>
    private let stamps: [FileState?]
    /// Damage that a lookup met later, behind what opening looks at.
    private let found = Mutex<EarshotError?>(nil)

    /// Opens the files of a bundle, and verifies the checksums of those that are searched.
    ///
    /// - Parameter isChecked: `true` if the checksums are known to fit: they were just taken.
    init(_ entry: BundleStoreManifest.Entry, folder: URL, isChecked: Bool = false) {
        self.entry = entry
        stamps = entry.urls(folder).map { FileState($0) }
        files = Result { () throws(EarshotError) in
            let urls = entry.urls(folder)
            let details = try DetailFile(
                urls[0],
                size: entry.details.size,
                referenceCount: entry.details.referenceCount
            )
            var segments: [SegmentFile] = []
            for (file, url) in zip(entry.segments, urls.dropFirst()) {
                segments.append(try Self.open(file, at: url, isChecked: isChecked))
            }
            return Files(details: details, segments: segments)
        }
    }

    private static func open(
        _ file: BundleStoreManifest.File,
        at url: URL,
        isChecked: Bool
    ) throws(EarshotError) -> SegmentFile {
        let segment: SegmentFile
        do {
            segment = try SegmentFile(contentsOf: url)
        } catch {
            throw BundleStoreManifest.damage(url.path, "is missing or damaged", cause: error)
        }
        guard UInt64(segment.byteCount) == file.size, segment.referenceCount == file.referenceCount else {
            throw BundleStoreManifest.damage(
                url.path,
                "has \(segment.byteCount) bytes and \(segment.referenceCount) references in place of \(file.size) and "
                    + "\(file.referenceCount)"
            )
        }
        guard isChecked || segment.checksum() == file.checksum else {
            throw BundleStoreManifest.damage(url.path, "is damaged: its checksum does not fit")
        }
        return segment
    }

    /// The damage that has been found, if any.
    var damage: EarshotError? {
        if case .failure(let error) = files { return error }
        return found.withLock { $0 }
    }

    func note(_ error: EarshotError) { found.withLock { $0 = error } }

    /// Returns `true` if the open files are the current ones.
    func isCurrent(_ folder: URL) -> Bool {
        // What could not be opened for now is tried again.
        if case .failure(let error) = files, error.code == .storeUnavailable { return false }
        return zip(entry.urls(folder), stamps).allSatisfy { FileState($0) == $1 }
    }

    /// Holds every byte against its checksum.
    ///
    /// - Throws: `storeDamaged`.
    func verify() throws(EarshotError) {
        if let damage { throw damage }
        let files = try files.get()
        for (file, segment) in zip(entry.segments, files.segments) where segment.checksum() != file.checksum {
            throw BundleStoreManifest.damage(segment.url.path, "is damaged: its checksum does not fit")
        }
        try files.details.verify()
    }
}
