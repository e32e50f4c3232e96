import Foundation

/// Makes ZIP files, right ones and wrong ones: each field can be told to lie.
struct ZipMaker {
    struct Entry {
        var name: [UInt8]
        var data: [UInt8]
        var method: UInt16 = 0
        var flags: UInt16 = 1 << 11
        /// What is packed, where that is not the data itself.
        var packed: [UInt8]?
        var checksum: UInt32?
        var size: UInt32?
        var packedSize: UInt32?
        var attributes: UInt32 = 0
        var version: UInt16 = 20
        var extra: [UInt8] = []
        var localName: [UInt8]?
        var localSize: UInt32?
        var localChecksum: UInt32?
        var localMethod: UInt16?
        /// Where the directory says that it is.
        var offset: UInt32?
        /// What stands behind the data.
        var behind: [UInt8] = []
        var isListed = true

        init(_ name: String, _ data: some Sequence<UInt8>) {
            self.name = Array(name.utf8)
            self.data = Array(data)
        }
    }

    var entries: [Entry]
    var comment: [UInt8] = []
    var count: UInt16?
    var directoryOffset: UInt32?
    var behind: [UInt8] = []

    var bytes: Data {
        func little(_ number: some FixedWidthInteger) -> [UInt8] { PackageSamples.little(number) }
        var file: [UInt8] = []
        var directory: [UInt8] = []
        for entry in entries {
            let packed = entry.packed ?? entry.data
            let checksum = entry.checksum ?? Self.checksum(entry.data)
            let size = entry.size ?? UInt32(entry.data.count)
            let packedSize = entry.packedSize ?? UInt32(packed.count)
            let offset = UInt32(file.count)
            file += little(UInt32(0x0403_4B50)) + little(entry.version) + little(entry.flags)
            file += little(entry.localMethod ?? entry.method) + little(UInt32(0x21_0000))
            file += little(entry.localChecksum ?? checksum) + little(packedSize) + little(entry.localSize ?? size)
            let localName = entry.localName ?? entry.name
            file += little(UInt16(localName.count)) + little(UInt16(entry.extra.count)) + localName + entry.extra
            file += packed + entry.behind
            guard entry.isListed else { continue }
            directory += little(UInt32(0x0201_4B50)) + little(UInt16(0x0314)) + little(entry.version)
            directory += little(entry.flags) + little(entry.method) + little(UInt32(0x21_0000)) + little(checksum)
            directory += little(packedSize) + little(size) + little(UInt16(entry.name.count))
            directory += little(UInt16(entry.extra.count)) + [UInt8](repeating: 0, count: 6)
            directory += little(entry.attributes) + little(entry.offset ?? offset) + entry.name + entry.extra
        }
        let start = directoryOffset ?? UInt32(file.count)
        let count = count ?? UInt16(entries.filter(\.isListed).count)
        file += directory + little(UInt32(0x0605_4B50)) + little(UInt32(0)) + little(count) + little(count)
        file += little(UInt32(directory.count)) + little(start) + little(UInt16(comment.count)) + comment + behind
        return Data(file)
    }

    static func checksum(_ bytes: some Sequence<UInt8>) -> UInt32 {
        var crc: UInt32 = ~0
        for byte in bytes {
            crc ^= UInt32(byte)
            for _ in 0..<8 {
                let isOdd = crc & 1 == 1
                crc >>= 1
                if isOdd { crc ^= 0xEDB8_8320 }
            }
        }
        return ~crc
    }

    /// Bytes as one block of deflate that is stored.
    static func deflated(_ bytes: [UInt8]) -> [UInt8] {
        let count = UInt16(bytes.count)
        return [1] + PackageSamples.little(count) + PackageSamples.little(~count) + bytes
    }
}
