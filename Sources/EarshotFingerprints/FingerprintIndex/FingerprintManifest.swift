import EarshotCore
import EarshotSegments
import Foundation

/// The list of the segments of an index, and of what is left out of them. A change takes effect when this file is
/// written.
struct FingerprintManifest: Hashable {
    /// One segment.
    struct Entry: Hashable {
        /// Its file is named by this number.
        var number: UInt64
        /// Numbers of fingerprints within the segment that count as not being there.
        var removed: Set<UInt32> = []
    }

    private static let layout = ManifestLayout(
        magic: Array("EARSHFPM".utf8),
        majorVersion: 1,
        minorVersion: 0,
        hasLength: false,
        minimumSize: 48
    )
    /// Names of segment files.
    static let segmentName = StoreFileName(suffix: ".earprints")
    /// Segments that there may be.
    static let maximumSegments = 1_024

    var algorithm = FileFingerprint.Algorithm.standard
    /// The store that the numbers belong to; `nil` if none was recorded.
    var owner: UUID?
    /// The number of the next segment.
    var nextNumber: UInt64 = 1
    var entries: [Entry] = []

    init(algorithm: FileFingerprint.Algorithm) {
        self.algorithm = algorithm
    }

    /// Names of the segment files.
    var fileNames: Set<String> { Set(entries.map { Self.segmentName($0.number) }) }

    /// The bytes of the file. Equal content gives equal bytes.
    var bytes: [UInt8] {
        var writer = ByteWriter()
        writer.write(UInt32(algorithm.rawValue))
        writer.write(nextNumber)
        writer.write(UInt32(entries.count))
        writer.write(contentsOf: Self.bytes(of: owner))
        for entry in entries {
            writer.write(entry.number)
            writer.writeVariable(UInt64(entry.removed.count))
            var next: UInt32 = 0
            for number in entry.removed.sorted() {
                writer.writeVariable(UInt64(number - next))
                next = number + 1
            }
        }
        return Self.layout.bytes(around: writer.bytes)
    }

    /// Reads a file.
    ///
    /// - Throws: `storeDamaged`.
    init(_ bytes: [UInt8], name: String) throws(EarshotError) {
        func damaged(_ what: String) -> EarshotError { FingerprintSegment.damaged(name, what) }
        var reader: ByteReader
        do {
            reader = try Self.layout.content(of: bytes)
        } catch {
            switch error {
            case .foreign:
                throw EarshotError(.storeDamaged, "\(name) is no manifest of a fingerprint index: check the path.")
            case .version(let major, _):
                throw EarshotError(
                    .storeDamaged,
                    "\(name) has version \(major), and this program reads version 1: update the program."
                )
            default: throw damaged("its checksum does not fit")
            }
        }
        guard let algorithm: UInt32 = reader.read(), let next: UInt64 = reader.read(),
            let count: UInt32 = reader.read(), let owner = reader.read(count: 16),
            let known = FileFingerprint.Algorithm(rawValue: Int(algorithm)),
            count <= Self.maximumSegments, next < 1 << 48
        else { throw damaged("its header breaks the format") }
        (self.algorithm, nextNumber, self.owner) = (known, next, Self.owner(Array(owner)))
        for _ in 0..<count {
            guard let entry = Self.readEntry(&reader), entry.number < next else {
                throw damaged("one of its segments breaks the format")
            }
            entries.append(entry)
        }
        guard reader.remaining == 0, Set(entries.map(\.number)).count == entries.count else {
            throw damaged("it holds something else")
        }
    }

    /// An id as it stands in the file: zeros where there is none.
    private static func bytes(of owner: UUID?) -> [UInt8] {
        guard let owner else { return [UInt8](repeating: 0, count: 16) }
        return withUnsafeBytes(of: owner.uuid) { Array($0) }
    }

    private static func owner(_ bytes: [UInt8]) -> UUID? {
        guard bytes.contains(where: { $0 != 0 }) else { return nil }
        return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }

    private static func readEntry(_ reader: inout ByteReader) -> Entry? {
        guard let number: UInt64 = reader.read(), let count = reader.readVariable(),
            count <= UInt64(reader.remaining)
        else { return nil }
        var entry = Entry(number: number)
        var next: UInt64 = 0
        for _ in 0..<count {
            guard let step = reader.readVariable(), step < UInt64(FingerprintSegmentFormat.maximumDocuments) else {
                return nil
            }
            next += step
            guard next < UInt64(FingerprintSegmentFormat.maximumDocuments) else { return nil }
            // bounded: less than the documents that a segment may have
            entry.removed.insert(UInt32(next))
            next += 1
        }
        return entry
    }
}
