import EarshotCatalogs
import EarshotCore
import EarshotSegments
import EarshotMusic
import EarshotSignatures
import Foundation
import Synchronization

/// One ingest: takes the bytes of a bundle as they come and turns them into files of a store, which count only once the
/// manifest names them.
///
/// One record, the references of one part of the index, and names are held in memory.
final class IngestWork: Sendable {
    /// The outcome of an ingest.
    struct Outcome: Sendable {
        var outcome: IngestReport.Outcome
        var bundle: StoredBundle
        /// The bundle with its files open, where it is new.
        var opened: OpenBundle?
    }

    /// The treatment of the bundle, which its header decides.
    private enum Plan {
        /// It takes its place in the store, behind the others or in that of one.
        case build(replacing: BundleStoreManifest.Entry?)
        /// The store holds this version; the digest must be the same.
        case compare(BundleStoreManifest.Entry)
        /// The store holds a newer version.
        case passOver(BundleStoreManifest.Entry)
    }

    private struct State {
        var reader: BundleReader
        var manifest = BundleStoreManifest()
        var plan: Plan?
        var builder: SegmentBuilder?
        var details: DetailWriter?
        var detailNumber: UInt64 = 0
    }

    private let writer: StoreWriter
    private let state: Mutex<State>

    /// - Parameter name: The name of the bundle in errors.
    init(_ writer: StoreWriter, name: String) {
        self.writer = writer
        state = Mutex(State(reader: BundleReader(name: name)))
    }

    /// Takes the next bytes.
    ///
    /// - Throws: `bundleInvalid`, `storeDamaged`, `writeFailed`.
    func take(_ bytes: [UInt8]) throws(EarshotError) {
        try state.withLock { state throws(EarshotError) in
            state.reader.append(bytes)
            while let record = try state.reader.next() { try self.take(record, &state) }
        }
    }

    private func take(_ record: BundleRecord, _ state: inout State) throws(EarshotError) {
        switch record {
        case .header(let header):
            state.manifest = try writer.manifest()
            let plan = plan(for: header, state.manifest)
            state.plan = plan
            guard case .build = plan else { return }
            state.detailNumber = state.manifest.nextNumber
            state.manifest.nextNumber += 1
            state.details = try DetailWriter(
                writer.folder.appendingPathComponent(BundleStoreManifest.detailName(state.detailNumber))
            )
            state.builder = try SegmentBuilder(writer.folder)
        case .work(let work):
            try state.details?.add(work)
        case .reference(let reference):
            try state.details?.add(reference)
            try state.builder?.add(reference)
        case .end: break
        }
    }

    private func plan(for header: BundleHeader, _ manifest: BundleStoreManifest) -> Plan {
        guard let held = manifest.entries.first(where: { $0.bundle.id == header.id }) else {
            return .build(replacing: nil)
        }
        if header.version > held.bundle.version { return .build(replacing: held) }
        if header.version < held.bundle.version { return .passOver(held) }
        // Ingesting again is what mends a damaged bundle.
        let isWhole = (try? OpenBundle(held, folder: writer.folder).verify()) != nil
        return isWhole ? .compare(held) : .build(replacing: held)
    }

    /// Ends the ingest once all bytes were taken.
    ///
    /// - Throws: `bundleInvalid`, `writeFailed`; the store is unchanged then.
    func finish() throws(EarshotError) -> Outcome {
        try state.withLock { state throws(EarshotError) in
            let summary = try state.reader.finish()
            guard let header = state.reader.header, let plan = state.plan else {
                throw EarshotError(.internalError, "A bundle ended without a header: please report this.")
            }
            switch plan {
            case .passOver(let held):
                return Outcome(outcome: .older(than: held.bundle.version), bundle: held.bundle)
            case .compare(let held):
                guard Data(held.bundle.digestBytes) == summary.digest else {
                    throw BundleFormat.invalid(
                        "The bundle \(header.id)",
                        "has other content than the version \(header.version) that the store holds: give it a higher "
                            + "version, or remove the bundle held first"
                    )
                }
                return Outcome(outcome: .unchanged, bundle: held.bundle)
            case .build(let replaced):
                return try self.build(header, summary, replacing: replaced, &state)
            }
        }
    }

    private func build(
        _ header: BundleHeader,
        _ summary: BundleSummary,
        replacing replaced: BundleStoreManifest.Entry?,
        _ state: inout State
    ) throws(EarshotError) -> Outcome {
        guard var details = state.details, var builder = state.builder else {
            throw EarshotError(.internalError, "An ingest ended without having begun: please report this.")
        }
        let size = try details.finish()
        let detailFile = BundleStoreManifest.File(
            number: state.detailNumber,
            size: size,
            checksum: 0,
            referenceCount: details.referenceCount
        )
        let segments = try builder.finish(nextNumber: &state.manifest.nextNumber)
        state.builder = nil
        state.details = nil
        let bundle = StoredBundle(
            id: header.id,
            version: header.version,
            title: header.title,
            creationMilliseconds: header.creationMilliseconds,
            digestBytes: Array(summary.digest),
            byteCount: summary.byteCount,
            referenceCount: summary.referenceCount,
            workCount: summary.workCount,
            customDataCount: summary.customDataCount,
            storedByteCount: Int(clamping: segments.reduce(size) { $0 + $1.size })
        )
        let entry = BundleStoreManifest.Entry(bundle: bundle, details: detailFile, segments: segments)
        // Opened before it counts: a lookup need not wait for it, and what cannot be read does not become the truth.
        let opened = OpenBundle(entry, folder: writer.folder, isChecked: true)
        if let damage = opened.damage {
            throw EarshotError(
                .writeFailed,
                "The written bundle \(header.id) differs from its source: check the disk, and ingest it again.",
                cause: damage
            )
        }
        if let index = state.manifest.entries.firstIndex(where: { $0.bundle.id == header.id }) {
            state.manifest.entries[index] = entry
        } else {
            state.manifest.entries.append(entry)
        }
        try writer.commit(state.manifest)
        let outcome = replaced.map { IngestReport.Outcome.replaced(version: $0.bundle.version) } ?? .added
        return Outcome(outcome: outcome, bundle: bundle, opened: opened)
    }

    /// Deletes the files written so far.
    func abandon() {
        state.withLock { state in
            state.builder?.abandon()
            state.builder = nil
            state.details = nil
            if let manifest = try? writer.manifest() { writer.removeFiles(except: manifest.fileNames) }
        }
    }
}
