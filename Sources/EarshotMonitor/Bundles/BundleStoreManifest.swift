import EarshotCore
import EarshotSegments
import Foundation

/// The bundles of a fingerprint store, and their files: `Docs/formats/bundle.md`.
///
/// A change takes effect with the manifest. The other files never change, and readers ignore files that no manifest
/// names.
struct BundleStoreManifest: Equatable, Sendable {
    /// A file and what it must be like.
    struct File: Equatable, Sendable {
        /// The number in its name; no two files of a store share one.
        var number: UInt64
        var size: UInt64
        /// The CRC-32C of the whole file.
        var checksum: UInt32
        /// References in it.
        var referenceCount: Int
    }

    /// A bundle that was ingested.
    struct Entry: Equatable, Sendable {
        var bundle: StoredBundle
        /// Titles, works and custom data.
        var details: File
        /// References with their index, in order.
        var segments: [File]

        func urls(_ folder: URL) -> [URL] {
            fileNames.map { folder.appendingPathComponent($0) }
        }

        fileprivate var fileNames: [String] {
            [BundleStoreManifest.detailName(details.number)]
                + segments.map { BundleStoreManifest.segmentName($0.number) }
        }
    }

    static let segmentName = StoreFileName(prefix: "segment-", suffix: ".earcat", digits: 12)
    static let detailName = StoreFileName(prefix: "details-", suffix: ".eardetails", digits: 12)
    private static let layout = ManifestLayout(
        magic: Array("EARSHFPS".utf8),
        majorVersion: 1,
        minorVersion: 0,
        hasLength: true,
        minimumSize: 44
    )
    static let maximumBundles = 4_096
    static let maximumSegments = 4_096
    static let maximumNumber: UInt64 = 1 << 48

    /// Counts the changes.
    var generation: UInt64 = 0
    /// The number of the next file.
    var nextNumber: UInt64 = 1
    /// In order of ingesting.
    var entries: [Entry] = []

    /// Names of the files that count.
    var fileNames: Set<String> { Set(entries.flatMap(\.fileNames)) }

    /// The files of a store in a folder.
    static func files(_ folder: URL) -> StoreFolder { StoreFolder(folder, names: [segmentName, detailName]) }

    // MARK: - Bytes

    var bytes: [UInt8] {
        var body = ByteWriter()
        body.write(generation)
        body.write(nextNumber)
        body.write(UInt32(entries.count))
        body.write(UInt32(0))
        for entry in entries {
            let bundle = entry.bundle
            body.write(text: bundle.id)
            body.write(bundle.version)
            body.write(bundle.creationMilliseconds)
            body.write(text: bundle.title ?? "")
            body.write(contentsOf: bundle.digestBytes)
            body.write(UInt64(bundle.byteCount))
            body.write(UInt32(bundle.referenceCount))
            body.write(UInt32(bundle.workCount))
            body.write(UInt32(bundle.customDataCount))
            body.write(UInt32(entry.segments.count))
            for file in [entry.details] + entry.segments {
                body.write(file.number)
                body.write(file.size)
                body.write(file.checksum)
                body.write(UInt32(file.referenceCount))
            }
        }
        return Self.layout.bytes(around: body.bytes)
    }

    init() {}

    /// The manifest of a folder; a folder without one is an empty store.
    ///
    /// - Throws: `storeDamaged`.
    static func read(_ folder: URL) throws(EarshotError) -> BundleStoreManifest {
        let path = StoreFolder.manifestURL(in: folder).path
        let bytes: [UInt8]?
        do {
            bytes = try StoreFolder.readManifest(in: folder)
        } catch {
            throw damage(path, "cannot be read", cause: error.cause)
        }
        guard let bytes else { return BundleStoreManifest() }
        return try BundleStoreManifest(bytes, name: path)
    }

    /// Reads a manifest.
    ///
    /// - Parameters:
    ///   - bytes: The whole file.
    ///   - name: The name of the list in errors.
    /// - Throws: `storeDamaged`.
    init(_ bytes: [UInt8], name: String) throws(EarshotError) {
        func invalid(_ what: String) -> EarshotError { Self.damage(name, what) }
        var reader: ByteReader
        do {
            reader = try Self.layout.content(of: bytes)
        } catch {
            switch error {
            case .foreign: throw invalid("is not the manifest of a fingerprint store")
            case .version(let major, let minor):
                throw EarshotError(
                    .storeDamaged,
                    "\(name) has version \(major).\(minor), and this program reads version 1: update the program."
                )
            case .checksum: throw invalid("is damaged: its checksum does not fit")
            default: throw invalid("is cut short or has a wrong length")
            }
        }
        guard let generation = reader.read(UInt64.self), let nextNumber = reader.read(UInt64.self),
            let count = reader.read(UInt32.self), reader.read(UInt32.self) != nil, generation <= Self.maximumNumber,
            nextNumber <= Self.maximumNumber, Int(count) <= Self.maximumBundles
        else { throw invalid("breaks the rules of its format") }
        self.generation = generation
        self.nextNumber = nextNumber
        var ids: Set<String> = []
        var numbers: Set<UInt64> = []
        for _ in 0..<count {
            guard let entry = Self.readEntry(&reader), ids.insert(entry.bundle.id).inserted,
                ([entry.details] + entry.segments).allSatisfy({
                    $0.number < nextNumber && numbers.insert($0.number).inserted
                })
            else { throw invalid("breaks the rules of its format") }
            entries.append(entry)
        }
        guard reader.remaining == 0 else { throw invalid("breaks the rules of its format") }
    }

    private static func readEntry(_ reader: inout ByteReader) -> Entry? {
        guard let id = reader.readText(), BundleHeader.isID(id), let version = reader.read(UInt64.self),
            let creation = reader.read(Int64.self), let title = reader.readText(),
            let digest = reader.read(count: 32), let size = reader.read(UInt64.self),
            let references = reader.read(UInt32.self), let works = reader.read(UInt32.self),
            let customData = reader.read(UInt32.self), let count = reader.read(UInt32.self),
            Int(count) <= maximumSegments
        else { return nil }
        var files: [File] = []
        for _ in 0...count {
            guard let number = reader.read(UInt64.self), let size = reader.read(UInt64.self),
                let checksum = reader.read(UInt32.self), let referenceCount = reader.read(UInt32.self)
            else { return nil }
            files.append(File(number: number, size: size, checksum: checksum, referenceCount: Int(referenceCount)))
        }
        let bundle = StoredBundle(
            id: id,
            version: version,
            title: title.isEmpty ? nil : title,
            creationMilliseconds: creation,
            digestBytes: Array(digest),
            byteCount: Int(clamping: size),
            referenceCount: Int(references),
            workCount: Int(works),
            customDataCount: Int(customData),
            storedByteCount: Int(clamping: files.reduce(UInt64(0)) { $0 &+ $1.size })
        )
        let segments = Array(files.dropFirst())
        guard files[0].referenceCount == bundle.referenceCount,
            segments.reduce(0, { $0 + $1.referenceCount }) == bundle.referenceCount
        else { return nil }
        return Entry(bundle: bundle, details: files[0], segments: segments)
    }

    /// The error for a damaged file of the store.
    static func damage(_ name: String, _ what: String, cause: (any Error)? = nil) -> EarshotError {
        EarshotError(
            .storeDamaged,
            "\(name) \(what): ingest the bundle again, or clear the store and ingest all bundles again.",
            cause: cause
        )
    }
}
