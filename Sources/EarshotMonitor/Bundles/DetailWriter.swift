import EarshotBroadcast
import EarshotCatalogs
import EarshotCore
import EarshotMusic
import Foundation

/// Writes the file of a store with what goes with the references of a bundle.
struct DetailWriter {
    private static let pieceSize = 1 << 20
    /// Sorted, so that the same bundle makes the same files.
    private let coder: JSONEncoder = JSONEncoder.sorted()

    private let file: AtomicFile
    private var held: [UInt8]
    private var offset = UInt64(DetailFile.headerSize)
    /// The location of each work, which several references may share.
    private var works: [EntityID<VideoWork>: DetailFile.Place] = [:]
    private var table = ByteWriter()
    private(set) var referenceCount = 0

    init(_ url: URL) throws(EarshotError) {
        file = try AtomicFile(url)
        held = [UInt8](repeating: 0, count: DetailFile.headerSize)
    }

    mutating func add(_ work: VideoWork) throws(EarshotError) {
        guard let content = try? coder.encode(work) else {
            throw EarshotError(.internalError, "The work \(work.id) cannot be written as JSON: please report this.")
        }
        works[work.id] = try append([UInt8](content))
    }

    mutating func add(_ reference: BundleReference) throws(EarshotError) {
        var flags: BundleFields.Flags = []
        let title = reference.title ?? reference.item.title
        let subtitle = reference.subtitle ?? reference.item.subtitle
        if title != nil { flags.insert(.title) }
        if subtitle != nil { flags.insert(.subtitle) }
        var texts = ByteWriter()
        texts.write(flags.rawValue)
        for text in [title, subtitle] { if let text { texts.write(text: text) } }
        var places = [try append(texts.bytes), reference.workID.flatMap { works[$0] } ?? DetailFile.Place()]
        if let data = reference.customData {
            var content = ByteWriter(reservingCapacity: data.bytes.count + 64)
            content.write(text: data.identifier)
            content.write(contentsOf: data.bytes)
            places.append(try append(content.bytes))
        } else {
            places.append(DetailFile.Place())
        }
        var entry = ByteWriter(reservingCapacity: DetailFile.entrySize)
        for place in places {
            entry.write(place.offset)
            entry.write(place.length)
            entry.write(place.checksum)
        }
        entry.write(CRC32C.checksum(entry.bytes))
        table.write(contentsOf: entry.bytes)
        referenceCount += 1
    }

    /// Ends the file and gives it its name.
    ///
    /// - Returns: The size in bytes.
    mutating func finish() throws(EarshotError) -> UInt64 {
        let tableStart = offset
        _ = try append(table.bytes)
        try flush()
        var header = ByteWriter()
        header.write(contentsOf: DetailFile.magic)
        header.write(DetailFile.majorVersion)
        header.write(DetailFile.minorVersion)
        header.write(UInt32(referenceCount))
        header.write(tableStart)
        header.write(offset)
        header.write(UInt32(0))
        header.write(CRC32C.checksum(header.bytes))
        try file.overwrite(header.bytes, at: 0)
        try file.commit(replacing: true)
        return offset
    }

    private mutating func append(_ bytes: [UInt8]) throws(EarshotError) -> DetailFile.Place {
        let place = DetailFile.Place(
            offset: offset,
            length: UInt32(clamping: bytes.count),
            checksum: CRC32C.checksum(bytes)
        )
        offset += UInt64(bytes.count)
        held += bytes
        if held.count >= Self.pieceSize { try flush() }
        return place
    }

    private mutating func flush() throws(EarshotError) {
        try file.write(held)
        held.removeAll(keepingCapacity: true)
    }
}
