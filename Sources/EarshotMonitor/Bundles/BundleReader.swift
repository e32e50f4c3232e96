import Crypto
import EarshotBroadcast
public import EarshotCore
import EarshotMusic
import EarshotSignatures
import Foundation

/// Parses a bundle from a stream of bytes in chunks of any size.
///
/// ```swift
/// var reader = BundleReader()
/// while let piece = try await connection.next() {
///     reader.append(piece)
///     while let record = try reader.next() { … }
/// }
/// let summary = try reader.finish()
/// ```
///
/// It reads no file and does not block. The records depend on the bytes alone, not on how they were split. It keeps one
/// record, the custom data before a reference, and the names of references and works so far. After an error it throws
/// the same error again.
public struct BundleReader: Sendable {
    private enum Phase { case header, records, ended }

    /// The name of the bundle in errors.
    let name: String
    /// The header; `nil` until it has been read.
    public private(set) var header: BundleHeader?

    private var phase = Phase.header
    private var failure: EarshotError?
    private var buffer: [UInt8] = []
    /// The offset of the next record in the buffer, and in the bundle.
    private var start = 0
    private var position = 0
    private var hash = SHA256()
    var summary = BundleSummary()
    /// The names read so far, to refuse duplicates and missing ones.
    var names: Set<ReferenceID> = []
    var works: Set<EntityID<VideoWork>> = []
    /// Custom data that waits for its reference.
    var waiting: (id: ReferenceID, data: CustomData)?

    /// Creates a reader. Append bytes to it, then call ``next()``.
    ///
    /// - Parameter name: The name of the bundle in errors, such as the path of its file.
    public init(name: String = "The bundle") {
        self.name = name
    }

    /// Appends the next bytes of the bundle, for ``next()`` to parse.
    public mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard failure == nil else { return }
        buffer.append(contentsOf: bytes)
    }

    /// Appends the next bytes of the bundle, for ``next()`` to parse.
    public mutating func append(_ bytes: some Sequence<UInt8>) {
        guard failure == nil else { return }
        buffer.append(contentsOf: bytes)
    }

    /// Returns the next record; `nil` if more bytes are needed.
    ///
    /// - Throws: `bundleInvalid` with the reason and the position.
    public mutating func next() throws(EarshotError) -> BundleRecord? {
        if let failure { throw failure }
        do {
            return try step()
        } catch {
            failure = error
            buffer = []
            throw error
        }
    }

    /// Ends reading and checks that the bundle is complete.
    ///
    /// - Returns: The counts and the digest of the bundle.
    /// - Throws: `bundleInvalid` if the bundle is incomplete, and the errors of ``next()``.
    public mutating func finish() throws(EarshotError) -> BundleSummary {
        while try next() != nil {}
        guard phase == .ended else {
            throw invalid("is cut short after \(position + available) bytes: get it again")
        }
        return summary
    }

    // MARK: - Steps

    private var available: Int { buffer.count - start }

    private mutating func step() throws(EarshotError) -> BundleRecord? {
        switch phase {
        case .header: return try readHeader()
        case .records:
            while let record = try takeRecord() {
                if let result = try read(record) { return result }
            }
            return nil
        case .ended:
            guard available == 0 else { throw invalid("has bytes behind its end: get it again") }
            return nil
        }
    }

    private mutating func readHeader() throws(EarshotError) -> BundleRecord? {
        let begun = buffer[start..<min(buffer.count, start + BundleFormat.magic.count)]
        guard begun.elementsEqual(BundleFormat.magic.prefix(begun.count)) else {
            throw invalid("is not a bundle: name a file that was made as one")
        }
        guard available >= BundleFormat.headerSize else { return nil }
        var reader = ByteReader(Array(buffer[start..<start + BundleFormat.headerSize]))
        _ = reader.read(count: BundleFormat.magic.count)
        guard let major = reader.read(UInt16.self), let minor = reader.read(UInt16.self),
            let configuration = reader.read(UInt32.self), let version = reader.read(UInt64.self),
            let creation = reader.read(Int64.self), let idSize = reader.read(UInt32.self),
            let titleSize = reader.read(UInt32.self), let reserved = reader.read(UInt32.self)
        else { return nil }
        guard major == BundleFormat.majorVersion else {
            throw invalid("has version \(major).\(minor), and this program reads version 1: update the program")
        }
        guard idSize <= BundleHeader.maximumIDLength, titleSize <= BundleFormat.maximumTitleSize, reserved == 0 else {
            throw invalid("is damaged: its header breaks the rules of the format. Get it again")
        }
        let size = BundleFormat.headerSize + Int(idSize) + Int(titleSize) + BundleFormat.checksumSize
        guard available >= size else { return nil }
        let bytes = Array(buffer[start..<start + size])
        guard Self.isSealed(bytes) else {
            throw invalid("is damaged: the checksum of its header does not fit. Get it again")
        }
        guard let known = SignatureConfiguration(id: configuration) else {
            throw invalid(
                "was made with configuration \(configuration), which this program does not know: update the program"
            )
        }
        let texts = bytes[BundleFormat.headerSize..<size - BundleFormat.checksumSize]
        guard let id = String(validating: texts.prefix(Int(idSize)), as: UTF8.self),
            let title = String(validating: texts.dropFirst(Int(idSize)), as: UTF8.self)
        else { throw invalid("has a header whose texts are not UTF-8: get it again") }
        let header = try BundleHeader(
            id: id,
            version: version,
            title: title,
            creation: creation,
            configuration: known
        )
        self.header = header
        phase = .records
        hash.update(data: bytes)
        drop(size)
        return .header(header)
    }

    /// A record whose checksum fits.
    struct Record {
        var kind: UInt32
        var payload: [UInt8]
        /// The offset in the bundle at which it begins.
        var position: Int
    }

    private mutating func takeRecord() throws(EarshotError) -> Record? {
        guard phase == .records, available >= BundleFormat.recordHeadSize else { return nil }
        let kind = number(at: start)
        let length = Int(number(at: start + 4))
        let limit = BundleFormat.maximumSize(of: kind)
        guard length <= limit else {
            throw invalid("has a record of \(length) bytes at byte \(position), and \(limit) are allowed: get it again")
        }
        let end = BundleFormat.recordHeadSize + length
        guard available >= end + BundleFormat.checksumSize else { return nil }
        let checksum = buffer.withUnsafeBytes {
            CRC32C.checksum(UnsafeRawBufferPointer(rebasing: $0[start..<start + end]))
        }
        guard checksum == number(at: start + end) else {
            throw invalid("is damaged: the checksum of the record at byte \(position) does not fit. Get it again")
        }
        let record = Record(
            kind: kind,
            payload: Array(buffer[start + BundleFormat.recordHeadSize..<start + end]),
            position: position
        )
        if kind == BundleFormat.Kind.trailer {
            phase = .ended
            summary.digest = Data(hash.finalize())
        } else {
            buffer.withUnsafeBytes { bytes in
                hash.update(bufferPointer: UnsafeRawBufferPointer(rebasing: bytes[start..<start + end + 4]))
            }
        }
        drop(end + BundleFormat.checksumSize)
        summary.byteCount = position
        return record
    }

    /// Goes on behind some bytes, and gives back the room of what was read once it is most of the buffer.
    private mutating func drop(_ count: Int) {
        start += count
        position += count
        if start == buffer.count {
            buffer.removeAll(keepingCapacity: buffer.capacity <= 1 << 20)
            start = 0
        } else if start > 1 << 16, start > buffer.count / 2 {
            buffer.removeFirst(start)
            start = 0
        }
    }

    private func number(at offset: Int) -> UInt32 {
        buffer.withUnsafeBytes { UInt32(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: UInt32.self)) }
    }

    /// Returns `true` if the last four bytes are the checksum of those before them.
    private static func isSealed(_ bytes: [UInt8]) -> Bool {
        var tail = ByteReader(Array(bytes.suffix(BundleFormat.checksumSize)))
        return tail.read(UInt32.self) == CRC32C.checksum(Array(bytes.dropLast(BundleFormat.checksumSize)))
    }

    func invalid(_ what: String, cause: (any Error)? = nil) -> EarshotError {
        BundleFormat.invalid(name, what, cause: cause)
    }
}
