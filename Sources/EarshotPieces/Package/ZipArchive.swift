import EarshotCore

/// A ZIP file in which every byte is accounted for. Entries follow each other from its start without gaps and overlaps,
/// the directory follows them, and its end is the end of the file.
///
/// Everything that two readers could interpret differently is refused: headers that do not agree, repeated names, bytes
/// between entries, comments, several volumes, ZIP64, encryption and links.
struct ZipArchive: Sendable {
    /// The largest number of entries: all parts of a piece, the manifest, and folders.
    static let mostEntries = 2 * PieceStem.most
    /// The largest directory, in bytes.
    static let longestDirectory = 1 << 20

    let bytes: PackageBytes
    /// The entries, in order of their positions.
    let entries: [ZipEntry]

    private var fault: PackageFault { bytes.fault }

    /// Reads the directory and the headers, but not the content.
    ///
    /// - Throws: `pieceInvalid` if a rule is broken; `readFailed` if the file cannot be read.
    init(_ bytes: PackageBytes) throws(EarshotError) {
        self.bytes = bytes
        let fault = bytes.fault
        guard bytes.count >= 22 else { throw fault.invalid("it has \(bytes.count) bytes, and no ZIP file has so few") }
        guard bytes.count <= PiecePackage.maximumSize else {
            throw fault.invalid("it has \(bytes.count) bytes, and \(PiecePackage.maximumSize) are allowed")
        }
        let (count, directory) = try Self.end(of: bytes)
        let listed = try Self.entries(
            count,
            in: try bytes.read(at: directory.lowerBound, count: directory.count),
            fault
        )
        var entries: [ZipEntry] = []
        var place = 0
        for entry in listed.sorted(by: { $0.offset < $1.offset }) {
            guard entry.offset == place else {
                throw fault.invalid(
                    "the entry \(PackageFault.quoted(entry.name)) overlaps another, or does not follow it"
                )
            }
            let whole = try Self.located(entry, in: bytes, before: directory.lowerBound)
            entries.append(whole)
            place = try Self.descriptorEnd(of: whole, in: bytes, before: directory.lowerBound)
        }
        guard place == directory.lowerBound else {
            throw fault.invalid("there are bytes between its entries and its directory")
        }
        self.entries = entries
        try Self.checkNames(entries, fault)
        try Self.checkSizes(entries, bytes.count, fault)
    }

    // MARK: - Steps

    /// Returns the number of entries and the range of the directory.
    private static func end(of bytes: PackageBytes) throws(EarshotError) -> (count: Int, directory: Range<Int>) {
        let fault = bytes.fault
        let start = bytes.count - 22
        var reader = ByteReader(try bytes.read(at: start, count: 22))
        guard reader.read() == UInt32(0x0605_4B50), let disk = reader.read(UInt16.self),
            let directoryDisk = reader.read(UInt16.self), let here = reader.read(UInt16.self),
            let count = reader.read(UInt16.self), let size = reader.read(UInt32.self),
            let offset = reader.read(UInt32.self), let comment = reader.read(UInt16.self)
        else {
            throw fault.invalid("it does not end as a ZIP file without comment: it is cut, or something else")
        }
        guard count != 0xFFFF, size != 0xFFFF_FFFF, offset != 0xFFFF_FFFF else {
            throw fault.invalid("it is a ZIP64 file")
        }
        guard disk == 0, directoryDisk == 0, here == count, comment == 0 else {
            throw fault.invalid("its end tells of several files or of a comment")
        }
        guard Int(count) <= mostEntries else {
            throw fault.invalid("it has \(count) entries, and \(mostEntries) are allowed")
        }
        guard Int(size) <= longestDirectory else {
            throw fault.invalid("its directory has \(size) bytes, and \(longestDirectory) are allowed")
        }
        guard Int(offset) + Int(size) == start else {
            throw fault.invalid("its directory does not end where its end begins")
        }
        return (Int(count), Int(offset)..<start)
    }

    private static func entries(
        _ count: Int,
        in directory: [UInt8],
        _ fault: PackageFault
    ) throws(EarshotError) -> [ZipEntry] {
        var reader = ByteReader(directory)
        var entries: [ZipEntry] = []
        for _ in 0..<count {
            guard reader.read() == UInt32(0x0201_4B50), reader.read(UInt16.self) != nil,
                let version = reader.read(UInt16.self), let flags = reader.read(UInt16.self),
                let method = reader.read(UInt16.self), reader.read(UInt32.self) != nil,
                let checksum = reader.read(UInt32.self), let packedSize = reader.read(UInt32.self),
                let size = reader.read(UInt32.self), let nameLength = reader.read(UInt16.self),
                let extraLength = reader.read(UInt16.self), let commentLength = reader.read(UInt16.self),
                let disk = reader.read(UInt16.self), reader.read(UInt16.self) != nil,
                let attributes = reader.read(UInt32.self), let offset = reader.read(UInt32.self),
                let name = reader.read(count: Int(nameLength)), let extra = reader.read(count: Int(extraLength)),
                reader.read(count: Int(commentLength)) != nil
            else { throw fault.invalid("its directory is damaged") }
            let text = try Self.name(Array(name), extra: Array(extra), isUTF8: flags & 1 << 11 != 0, fault)
            let shown = PackageFault.quoted(text)
            // The three flags of encryption.
            guard flags & (1 | 1 << 6 | 1 << 13) == 0 else { throw fault.invalid("the entry \(shown) is encrypted") }
            guard let method = ZipEntry.Method(rawValue: method) else {
                throw fault.invalid("the entry \(shown) is packed by method \(method), and 0 and 8 are known")
            }
            guard version & 0xFF <= 20, disk == 0, ![packedSize, size, offset].contains(0xFFFF_FFFF) else {
                throw fault.invalid("the entry \(shown) needs version \(version & 0xFF) of ZIP, and 20 is known")
            }
            // On Unix, the upper half describes the type of file: if set, it must be a file or a folder.
            let kind = attributes >> 28
            let isFolder = ZipEntry.isFolderName(text)
            guard kind == 0 || kind == (isFolder ? 4 : 8) else {
                throw fault.invalid("the entry \(shown) is a link, or no file")
            }
            // Folders are never unpacked, so content in one would escape all checks.
            guard !isFolder || method == .stored && packedSize == 0 && size == 0 else {
                throw fault.invalid("the folder \(shown) has bytes, or is packed")
            }
            entries.append(
                ZipEntry(
                    name: text,
                    method: method,
                    checksum: checksum,
                    packedSize: Int(packedSize),
                    size: Int(size),
                    offset: Int(offset),
                    hasDescriptor: flags & 1 << 3 != 0
                )
            )
        }
        guard reader.remaining == 0 else { throw fault.invalid("its directory has more bytes than entries") }
        return entries
    }

    /// Decodes a name, which must be ASCII or declared as UTF-8.
    private static func name(
        _ bytes: [UInt8],
        extra: [UInt8],
        isUTF8: Bool,
        _ fault: PackageFault
    ) throws(EarshotError) -> String {
        var isSaid = isUTF8
        var reader = ByteReader(extra)
        while reader.remaining > 0 {
            guard let id = reader.read(UInt16.self), let count = reader.read(UInt16.self),
                let field = reader.read(count: Int(count))
            else { throw fault.invalid("the extra fields of an entry are damaged") }
            if id == 0x0001 { throw fault.invalid("it is a ZIP64 file") }
            // The Unicode name after a version and a checksum. Some readers would use it, so it must be the same.
            if id == 0x7075 {
                guard field.dropFirst(5).elementsEqual(bytes) else { throw fault.invalid("an entry has two names") }
                isSaid = true
            }
        }
        guard isSaid || bytes.allSatisfy({ $0 < 0x80 }), let name = String(validating: bytes, as: UTF8.self) else {
            throw fault.invalid("the name of an entry is not in UTF-8, or not said to be")
        }
        if let reason = ZipEntry.fault(inName: name) { throw fault.invalid(reason) }
        return name
    }

    /// Checks that the local header of an entry agrees with the directory, and returns the entry with the position of
    /// its bytes.
    private static func located(
        _ entry: ZipEntry,
        in bytes: PackageBytes,
        before end: Int
    ) throws(EarshotError) -> ZipEntry {
        let fault = bytes.fault
        let shown = PackageFault.quoted(entry.name)
        guard entry.offset <= end - 30 else { throw fault.invalid("the entry \(shown) is not inside the file") }
        var reader = ByteReader(try bytes.read(at: entry.offset, count: 30))
        guard reader.read() == UInt32(0x0403_4B50), reader.read(UInt16.self) != nil,
            let flags = reader.read(UInt16.self), let method = reader.read(UInt16.self),
            reader.read(UInt32.self) != nil, let checksum = reader.read(UInt32.self),
            let packedSize = reader.read(UInt32.self), let size = reader.read(UInt32.self),
            let nameLength = reader.read(UInt16.self), let extraLength = reader.read(UInt16.self),
            entry.offset + 30 + Int(nameLength) + Int(extraLength) <= end
        else { throw fault.invalid("the entry \(shown) has no header of its own") }
        let name = try bytes.read(at: entry.offset + 30, count: Int(nameLength))
        let extra = try bytes.read(at: entry.offset + 30 + name.count, count: Int(extraLength))
        // A writer that does not know the sizes yet writes zeros, and adds them after the bytes.
        let isLater = entry.hasDescriptor && checksum == 0 && packedSize == 0 && size == 0
        guard name.elementsEqual(entry.name.utf8), method == entry.method.rawValue,
            flags & (1 | 1 << 6 | 1 << 13) == 0, (flags & 1 << 3 != 0) == entry.hasDescriptor,
            isLater
                || checksum == entry.checksum && Int(packedSize) == entry.packedSize && Int(size) == entry.size
        else { throw fault.invalid("the two headers of the entry \(shown) do not agree") }
        _ = try Self.name(name, extra: Array(extra), isUTF8: true, fault)
        var located = entry
        located.dataOffset = entry.offset + 30 + name.count + extra.count
        guard located.dataEnd <= end else { throw fault.invalid("the entry \(shown) is not inside the file") }
        guard entry.method == .deflated || entry.packedSize == entry.size else {
            throw fault.invalid("the entry \(shown) is stored with two sizes")
        }
        return located
    }

    /// Returns the position of the next entry, after the bytes and their data descriptor.
    private static func descriptorEnd(
        of entry: ZipEntry,
        in bytes: PackageBytes,
        before end: Int
    ) throws(EarshotError) -> Int {
        guard entry.hasDescriptor else { return entry.dataEnd }
        for hasSignature in [true, false] {
            let count = hasSignature ? 16 : 12
            guard entry.dataEnd <= end - count else { continue }
            var reader = ByteReader(try bytes.read(at: entry.dataEnd, count: count))
            if hasSignature, reader.read() != UInt32(0x0807_4B50) { continue }
            if reader.read() == entry.checksum, reader.read(UInt32.self).map(Int.init) == entry.packedSize,
                reader.read(UInt32.self).map(Int.init) == entry.size
            {
                return entry.dataEnd + count
            }
        }
        throw bytes.fault.invalid(
            "what stands behind the entry \(PackageFault.quoted(entry.name)) does not agree with it"
        )
    }

    private static func checkNames(_ entries: [ZipEntry], _ fault: PackageFault) throws(EarshotError) {
        var names = Set<String>()
        for entry in entries where !names.insert(PieceStem.folded(entry.name)).inserted {
            throw fault.invalid("the name \(PackageFault.quoted(entry.name)) is there twice")
        }
    }

    /// Refuses an archive that would unpack to too much, before anything is unpacked.
    private static func checkSizes(_ entries: [ZipEntry], _ count: Int, _ fault: PackageFault) throws(EarshotError) {
        let total = entries.reduce(0) { $0 + $1.size }
        guard total <= PiecePackage.maximumSize else {
            throw fault.invalid("it unpacks to \(total) bytes, and \(PiecePackage.maximumSize) are allowed")
        }
        guard total <= PiecePackage.freeSize || total / PiecePackage.highestRatio <= count else {
            throw fault.invalid("it unpacks to \(total) bytes, more than \(PiecePackage.highestRatio) times its own")
        }
    }
}
