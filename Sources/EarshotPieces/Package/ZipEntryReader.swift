import EarshotCore

/// Reads the content of an entry in chunks, but never more than its declared size.
final class ZipEntryReader {
    /// The most bytes of an entry that are read at once: 256 KiB.
    private static let pieceSize = 256 << 10

    private let entry: ZipEntry
    private let bytes: PackageBytes
    private let inflater: Inflater?
    private var place: Int
    private var made = 0
    private var checksum = ZipChecksum()
    private var isOver = false

    init(_ entry: ZipEntry, in bytes: PackageBytes) throws(EarshotError) {
        self.entry = entry
        self.bytes = bytes
        place = entry.dataOffset
        inflater = entry.method == .deflated ? Inflater() : nil
        if entry.method == .deflated, inflater == nil {
            throw EarshotError(
                .internalError,
                "An entry of a ZIP file cannot be decompressed for want of memory: end other programs."
            )
        }
    }

    /// Returns the next bytes; `nil` at the end. The end is returned only if size and checksum are right.
    ///
    /// - Throws: `pieceInvalid` for damaged content or a wrong size; `readFailed` if the file cannot be read.
    func next() throws(EarshotError) -> [UInt8]? {
        while !isOver {
            let piece: [UInt8]
            if let inflater { piece = try unpacked(inflater) } else { piece = try stored() }
            made += piece.count
            guard made <= entry.size else { throw invalid("unpacks to more than it says") }
            checksum.update(piece)
            if !piece.isEmpty { return piece }
        }
        guard made == entry.size, place == entry.dataEnd else { throw invalid("unpacks to less than it says") }
        guard checksum.value == entry.checksum else { throw invalid("is damaged: its checksum is another") }
        return nil
    }

    private func stored() throws(EarshotError) -> [UInt8] {
        let count = min(Self.pieceSize, entry.dataEnd - place)
        isOver = count == 0
        defer { place += count }
        return try bytes.read(at: place, count: count)
    }

    private func unpacked(_ inflater: Inflater) throws(EarshotError) -> [UInt8] {
        if inflater.unusedCount == 0 {
            let count = min(Self.pieceSize, entry.dataEnd - place)
            inflater.put(try bytes.read(at: place, count: count))
            place += count
        }
        switch inflater.next() {
        case .damaged: throw invalid("is damaged")
        case .end(let piece):
            isOver = true
            guard inflater.unusedCount == 0 else { throw invalid("has bytes behind its end") }
            return piece
        case .output(let piece):
            // Without output and without further input the stream is incomplete.
            guard !piece.isEmpty || inflater.unusedCount == 0 && place < entry.dataEnd else {
                throw invalid("ends early")
            }
            return piece
        }
    }

    private func invalid(_ reason: String) -> EarshotError {
        bytes.fault.invalid("the entry \(PackageFault.quoted(entry.name)) \(reason)")
    }
}
