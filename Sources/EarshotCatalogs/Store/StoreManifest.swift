import EarshotCore
import EarshotSegments

/// The contents of a store at one moment; see `Docs/formats/store.md`.
///
/// A change takes effect when its manifest is written. Segment files never change, and readers ignore files that the
/// manifest does not name.
struct StoreManifest: Equatable, Sendable {
    /// A segment file with its removed references.
    struct Entry: Equatable, Sendable {
        /// The number in the file name, which a store uses only once.
        var number: UInt64
        /// The size of the file, in bytes.
        var size: UInt64
        /// The CRC-32C of the whole file.
        var checksum: UInt32
        /// The number of references in the file, including removed ones.
        var referenceCount: Int
        /// The numbers of the removed references.
        var removed: Set<Int> = []

        var fileName: String { Self.fileName(number) }

        static let fileName = StoreFileName(prefix: "segment-", suffix: ".earcat", digits: 12)
    }

    private static let layout = ManifestLayout(
        magic: Array("EARSHSTO".utf8),
        majorVersion: 1,
        minorVersion: 0,
        hasLength: true,
        minimumSize: 52
    )
    /// The largest number of segments in a manifest.
    static let maximumSegments = 65_536
    /// The largest generation and file number. Larger ones are damage, because none could follow the highest.
    static let maximumNumber: UInt64 = 1 << 48
    /// The size of the entry of a segment, in bytes.
    private static let entrySize = 32

    /// The number of the state, incremented by every change.
    var generation: UInt64
    /// The number of the next segment file.
    var nextNumber: UInt64
    var limits: QueryLimits
    /// The segments, in order of adding.
    var entries: [Entry] = []

    /// The names of the segment files.
    var fileNames: Set<String> { Set(entries.map(\.fileName)) }

    // MARK: - Bytes

    var bytes: [UInt8] {
        var tombstones = ByteWriter()
        for entry in entries {
            var before = 0
            for number in entry.removed.sorted() {
                tombstones.writeVariable(UInt64(number - before))
                before = number
            }
        }
        var writer = ByteWriter(reservingCapacity: 48 + entries.count * Self.entrySize + tombstones.bytes.count)
        writer.write(generation)
        writer.write(nextNumber)
        writer.write(UInt32(limits.minimumMilliseconds))
        writer.write(UInt32(limits.maximumMilliseconds))
        writer.write(UInt32(entries.count))
        writer.write(UInt32(0))
        for entry in entries {
            writer.write(entry.number)
            writer.write(entry.size)
            writer.write(entry.checksum)
            writer.write(UInt32(entry.referenceCount))
            writer.write(UInt32(entry.removed.count))
            writer.write(UInt32(0))
        }
        writer.write(contentsOf: tombstones.bytes)
        return Self.layout.bytes(around: writer.bytes)
    }

    init(generation: UInt64, nextNumber: UInt64, limits: QueryLimits, entries: [Entry] = []) {
        self.generation = generation
        self.nextNumber = nextNumber
        self.limits = limits
        self.entries = entries
    }

    /// Reads a manifest.
    ///
    /// - Parameters:
    ///   - bytes: The whole file.
    ///   - name: The name of the file for errors.
    /// - Throws: `catalogInvalid` if it is no manifest, has an unknown version, or is damaged.
    init(_ bytes: [UInt8], name: String) throws(EarshotError) {
        func invalid(_ what: String) -> EarshotError { Self.damage(name, what) }
        var reader: ByteReader
        do {
            reader = try Self.layout.content(of: bytes)
        } catch {
            switch error {
            case .foreign: throw invalid("is not the manifest of a store")
            case .version(let major, let minor):
                throw EarshotError(
                    .catalogInvalid,
                    "\(name) has version \(major).\(minor), and this program reads version 1: update the program."
                )
            case .checksum: throw invalid("is damaged: its checksum does not fit")
            default: throw invalid("is cut short or has a wrong length")
            }
        }
        guard let generation = reader.read(UInt64.self), let nextNumber = reader.read(UInt64.self),
            let minimum = reader.read(UInt32.self), let maximum = reader.read(UInt32.self),
            let count = reader.read(UInt32.self), reader.read(UInt32.self) != nil,
            generation <= Self.maximumNumber, nextNumber <= Self.maximumNumber, Int(count) <= Self.maximumSegments,
            Int(count) * Self.entrySize <= reader.remaining
        else { throw invalid("breaks the rules of its format") }
        self.generation = generation
        self.nextNumber = nextNumber
        limits = QueryLimits(minimumMilliseconds: Int(minimum), maximumMilliseconds: Int(maximum))
        var removedCounts: [Int] = []
        var numbers: Set<UInt64> = []
        for _ in 0..<count {
            guard let number = reader.read(UInt64.self), let size = reader.read(UInt64.self),
                let checksum = reader.read(UInt32.self), let referenceCount = reader.read(UInt32.self),
                let removedCount = reader.read(UInt32.self), reader.read(UInt32.self) != nil,
                number < nextNumber, numbers.insert(number).inserted,
                referenceCount <= SegmentFormat.maximumReferences, removedCount <= referenceCount
            else { throw invalid("breaks the rules of its format") }
            entries.append(
                Entry(number: number, size: size, checksum: checksum, referenceCount: Int(referenceCount))
            )
            removedCounts.append(Int(removedCount))
        }
        for (index, removedCount) in removedCounts.enumerated() {
            var number = 0
            for position in 0..<removedCount {
                guard let step = reader.readVariable(), step < UInt64(entries[index].referenceCount),
                    position == 0 || step > 0
                else { throw invalid("breaks the rules of its format") }
                // bounded: less than the number of references
                number += Int(step)
                guard number < entries[index].referenceCount else { throw invalid("breaks the rules of its format") }
                entries[index].removed.insert(number)
            }
        }
        guard reader.remaining == 0 else { throw invalid("breaks the rules of its format") }
    }

    /// Returns the error for a damaged file of the store.
    static func damage(_ name: String, _ what: String) -> EarshotError {
        EarshotError(
            .catalogInvalid,
            "\(name) \(what): restore the store from a copy, or join what is whole with `earshot catalog merge`."
        )
    }
}
