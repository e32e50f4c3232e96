public import EarshotBroadcast
public import EarshotCore
public import EarshotMusic
import EarshotSignatures
import Foundation

/// Reads the feed of a channel as it arrives: it receives bytes in portions of any size, and returns the chunks.
///
/// ```swift
/// var reader = LiveFeedReader()
/// while let bytes = try await connection.next() {
///     reader.append(bytes)
///     while let piece = try reader.next() { try index.append(piece, channel: reader.channel ?? "") }
/// }
/// try reader.finish()
/// ```
///
/// The result depends on the bytes alone, not on how they were split. The reader keeps one record and the bytes
/// appended since the last ``next()``. After an error it throws the same error again.
public struct LiveFeedReader: Sendable {
    /// The channel; `nil` until the header was read.
    public private(set) var channel: EntityID<BroadcastChannel>?
    /// The number of chunks read.
    public private(set) var pieceCount = 0

    private let name: String
    private var buffer: [UInt8] = []
    /// The position of the next record in the buffer, and in the feed, in bytes.
    private var start = 0
    private var position = 0
    private var last: UInt64?
    private var failure: EarshotError?

    /// Creates a reader at the start of a feed.
    ///
    /// - Parameter name: The name of the feed in errors.
    public init(name: String = "The feed") { self.name = name }

    /// Appends the next bytes. ``next()`` reads them.
    public mutating func append(_ bytes: some Sequence<UInt8>) {
        guard failure == nil else { return }
        if start > 65_536 || start == buffer.count {
            buffer.removeFirst(start)
            start = 0
        }
        buffer.append(contentsOf: bytes)
    }

    /// Returns the next chunk; `nil` if more bytes are needed.
    ///
    /// - Throws: `requestInvalid` with the reason and the position.
    public mutating func next() throws(EarshotError) -> LiveChunk? {
        if let failure { throw failure }
        do {
            return try step()
        } catch {
            (failure, buffer, start) = (error, [], 0)
            throw error
        }
    }

    /// Ends the feed. Chunks that were not read are dropped.
    ///
    /// - Throws: `requestInvalid` if the header or the last record is incomplete, and the errors of ``next()``.
    public mutating func finish() throws(EarshotError) {
        while try next() != nil {}
        guard channel != nil, available == 0 else {
            let error = invalid("is cut short after \(position + available) bytes: send its last piece again")
            failure = error
            throw error
        }
    }

    // MARK: - Steps

    private var available: Int { buffer.count - start }

    private func invalid(_ what: String) -> EarshotError { EarshotError(.requestInvalid, "\(name) \(what).") }

    private mutating func step() throws(EarshotError) -> LiveChunk? {
        if channel == nil {
            try readHeader()
            guard channel != nil else { return nil }
        }
        while true {
            var reader = ByteReader(Array(buffer[start..<min(buffer.count, start + LiveFeed.recordHeaderSize)]))
            guard let kind = reader.read(UInt32.self), let size = reader.read(UInt32.self) else { return nil }
            guard size <= LiveFeed.maximumBodySize else {
                throw invalid("has a record of \(size) bytes at byte \(position), and 65,536 are allowed")
            }
            let whole = LiveFeed.recordHeaderSize + Int(size)
            guard available >= whole + LiveFeed.checksumSize else { return nil }
            let bytes = Array(buffer[start..<start + whole + LiveFeed.checksumSize])
            let place = position
            try check(bytes, "the record at byte \(place)")
            consume(bytes.count)
            // A later minor version may add records of other kinds, which are skipped.
            guard kind == LiveFeed.pieceKind else { continue }
            return try piece(Array(bytes[LiveFeed.recordHeaderSize..<whole]), at: place)
        }
    }

    private mutating func readHeader() throws(EarshotError) {
        let begun = buffer[start..<min(buffer.count, start + LiveFeed.magic.count)]
        guard begun.elementsEqual(LiveFeed.magic.prefix(begun.count)) else {
            throw invalid("is not a live feed: send what a feed writer gives")
        }
        guard available >= LiveFeed.headerSize else { return }
        var reader = ByteReader(Array(buffer[start..<start + LiveFeed.headerSize]))
        _ = reader.read(count: LiveFeed.magic.count)
        guard let major = reader.read(UInt16.self), let minor = reader.read(UInt16.self),
            let size = reader.read(UInt16.self), let reserved = reader.read(UInt16.self)
        else { return }
        guard major == LiveFeed.majorVersion else {
            throw invalid("has version \(major).\(minor), and this program reads version 1: update the program")
        }
        guard (1...LiveFeed.maximumIDSize).contains(Int(size)), reserved == 0 else {
            throw invalid("has a header that breaks the rules of its format: make it again")
        }
        let whole = LiveFeed.headerSize + Int(size)
        guard available >= whole + LiveFeed.checksumSize else { return }
        let bytes = Array(buffer[start..<start + whole + LiveFeed.checksumSize])
        try check(bytes, "its header")
        guard let id = String(validating: bytes[LiveFeed.headerSize..<whole], as: UTF8.self) else {
            throw invalid("names a channel in bytes that are no text: make it again")
        }
        consume(bytes.count)
        channel = EntityID(id)
    }

    /// Compares the bytes with the checksum at their end.
    private func check(_ bytes: [UInt8], _ what: String) throws(EarshotError) {
        var reader = ByteReader(Array(bytes.suffix(LiveFeed.checksumSize)))
        guard reader.read(UInt32.self) == CRC32C.checksum(Array(bytes.dropLast(LiveFeed.checksumSize))) else {
            throw invalid("is damaged: the checksum of \(what) does not fit; send it again")
        }
    }

    private mutating func consume(_ count: Int) {
        start += count
        position += count
    }

    private mutating func piece(_ body: [UInt8], at place: Int) throws(EarshotError) -> LiveChunk {
        var reader = ByteReader(body)
        guard let sequence = reader.read(UInt64.self), let milliseconds = reader.read(Int64.self),
            let rest = reader.read(count: reader.remaining)
        else { throw invalid("has a piece at byte \(place) that is cut short: make it again") }
        if let last, sequence <= last {
            throw invalid("has piece \(sequence) behind piece \(last): numbers ascend")
        }
        guard LiveTime.milliseconds.contains(milliseconds) else {
            throw invalid("has piece \(sequence) outside the years 1970 to 9999: check the clock of its sender")
        }
        let signature: Signature
        do {
            signature = try Signature(data: Data(rest))
        } catch {
            throw EarshotError(
                .requestInvalid,
                "\(name) has a signature in chunk \(sequence) that cannot be read: make it again.",
                cause: error
            )
        }
        let piece = try LiveChunk(sequence: sequence, milliseconds: milliseconds, signature: signature)
        last = sequence
        pieceCount += 1
        return piece
    }
}
