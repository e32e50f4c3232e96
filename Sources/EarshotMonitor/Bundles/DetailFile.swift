import EarshotBroadcast
import EarshotCore
import Foundation

/// The file of a store with what goes with the references of a bundle: titles, works, custom data.
///
/// It is read where it is needed, a few hundred bytes at a time, and not through a memory map: custom data may be much, and
/// a file that somebody cuts short while it is open gives an error, not a fault.
final class DetailFile: Sendable {
    static let magic = Array("EARSHDET".utf8)
    static let majorVersion: UInt16 = 1
    static let minorVersion: UInt16 = 0
    static let headerSize = 40
    /// Three places of 16 bytes and a checksum.
    static let entrySize = 52

    /// A run of bytes with its checksum; empty if the length is 0.
    struct Place: Equatable, Sendable {
        var offset: UInt64 = 0
        var length: UInt32 = 0
        var checksum: UInt32 = 0
    }

    /// The title, work and custom data of one reference.
    struct Details: Sendable {
        var title: String?
        var subtitle: String?
        var work: VideoWork?
        var customData: CustomData?
    }

    let url: URL
    let referenceCount: Int
    private let size: Int
    private let table: UInt64
    private let descriptor: Int32

    /// Opens a file and checks its header.
    ///
    /// - Throws: `storeDamaged`; `storeUnavailable` when too many files are open.
    init(_ url: URL, size: UInt64, referenceCount: Int) throws(EarshotError) {
        func damaged(_ what: String) -> EarshotError { BundleStoreManifest.damage(url.path, what) }
        let descriptor = open(url.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            guard ![EMFILE, ENFILE, ENOMEM].contains(errno) else {
                throw EarshotError(
                    .storeUnavailable,
                    "\(url.path) cannot be opened: the program has too many files open; raise the limit, or keep fewer bundles."
                )
            }
            throw damaged("is missing or cannot be read")
        }
        var isKept = false
        defer { if !isKept { close(descriptor) } }
        var status = stat()
        guard fstat(descriptor, &status) == 0, UInt64(clamping: status.st_size) == size else {
            throw damaged("has \(status.st_size) bytes in place of \(size)")
        }
        guard let header = Self.read(descriptor, at: 0, count: Self.headerSize), header.starts(with: Self.magic) else {
            throw damaged("is not a file of details")
        }
        var reader = ByteReader(header)
        _ = reader.read(count: Self.magic.count)
        guard let major = reader.read(UInt16.self), reader.read(UInt16.self) != nil,
            let count = reader.read(UInt32.self), let table = reader.read(UInt64.self),
            let length = reader.read(UInt64.self), reader.read(UInt32.self) != nil,
            let checksum = reader.read(UInt32.self)
        else { throw damaged("is cut short") }
        guard CRC32C.checksum(Array(header.dropLast(4))) == checksum else {
            throw damaged("is damaged: the checksum of its header does not fit")
        }
        guard major == Self.majorVersion else {
            throw damaged("has a version that this program does not know")
        }
        guard Int(count) == referenceCount, length == size, table <= size,
            UInt64(count) * UInt64(Self.entrySize) == size - table
        else { throw damaged("is another file than the one that was written") }
        self.url = url
        self.referenceCount = referenceCount
        self.size = Int(size)
        self.table = table
        self.descriptor = descriptor
        isKept = true
    }

    deinit { close(descriptor) }

    /// The title, work and custom data of a reference.
    ///
    /// - Throws: `storeDamaged`.
    func details(of number: Int) throws(EarshotError) -> Details {
        let places = try places(of: number)
        var texts = ByteReader(try bytes(places[0]) ?? [])
        guard let raw = texts.read(UInt8.self) else { throw damaged }
        let flags = BundleFields.Flags(rawValue: raw)
        var details = Details()
        if flags.contains(.title) { details.title = texts.readText() }
        if flags.contains(.subtitle) { details.subtitle = texts.readText() }
        if let content = try bytes(places[1]) {
            guard let work = try? JSONDecoder().decode(VideoWork.self, from: Data(content)) else { throw damaged }
            details.work = work
        }
        if let content = try bytes(places[2]) {
            var reader = ByteReader(content)
            guard let identifier = reader.readText(), let rest = reader.read(count: reader.remaining) else {
                throw damaged
            }
            details.customData = CustomData(identifier: identifier, bytes: Data(rest))
        }
        return details
    }

    /// Holds every byte against its checksum.
    ///
    /// - Throws: `storeDamaged`.
    func verify() throws(EarshotError) {
        for number in 0..<referenceCount { _ = try details(of: number) }
    }

    // MARK: - Bytes

    private var damaged: EarshotError {
        BundleStoreManifest.damage(url.path, "is damaged: a checksum in it does not fit")
    }

    private func places(of number: Int) throws(EarshotError) -> [Place] {
        guard number < referenceCount,
            // bounded: the table lies in the file
            let entry = Self.read(descriptor, at: Int(table) + number * Self.entrySize, count: Self.entrySize)
        else { throw damaged }
        var reader = ByteReader(entry)
        var places: [Place] = []
        for _ in 0..<3 {
            guard let offset = reader.read(UInt64.self), let length = reader.read(UInt32.self),
                let checksum = reader.read(UInt32.self), offset <= UInt64(size), UInt64(length) <= UInt64(size) - offset
            else { throw damaged }
            places.append(Place(offset: offset, length: length, checksum: checksum))
        }
        guard reader.read(UInt32.self) == CRC32C.checksum(Array(entry.dropLast(4))) else { throw damaged }
        return places
    }

    private func bytes(_ place: Place) throws(EarshotError) -> [UInt8]? {
        guard place.length > 0 else { return nil }
        guard let bytes = Self.read(descriptor, at: Int(place.offset), count: Int(place.length)),
            CRC32C.checksum(bytes) == place.checksum
        else { throw damaged }
        return bytes
    }

    /// A run of bytes; `nil` if the file is too short.
    private static func read(_ descriptor: Int32, at offset: Int, count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        var done = 0
        while done < count {
            let got = bytes.withUnsafeMutableBytes { memory -> Int in
                guard let base = memory.baseAddress else { return -1 }
                return pread(descriptor, base + done, count - done, off_t(offset + done))
            }
            if got < 0, errno == EINTR { continue }
            guard got > 0 else { return nil }
            done += got
        }
        return bytes
    }
}
