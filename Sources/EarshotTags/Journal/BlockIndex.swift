import EarshotCore
import EarshotMedia

/// A hash of a run of bytes that follows when the run moves on by one (Rabin and Karp).
struct RollingHash {
    private static let base: UInt64 = 0x100_0000_01B3

    private(set) var value: UInt64
    private let length: Int
    private var place: Int
    /// The weight of the first byte of the run.
    private let weight: UInt64

    /// The hash of a run; `nil` if the file ends before the run does.
    init?(_ file: FileWindow, at place: Int, length: Int) throws(EarshotError) {
        guard place + length <= file.count else { return nil }
        (self.place, self.length) = (place, length)
        weight = (1..<length).reduce(1) { weight, _ in weight &* Self.base }
        value = Self.value(try file.bytes(place..<place + length), 0..<length)
    }

    /// The hash of a run of bytes.
    static func value(_ bytes: [UInt8], _ range: Range<Int>) -> UInt64 {
        var value: UInt64 = 0
        for index in range { value = value &* base &+ UInt64(bytes[index]) &+ 1 }
        return value
    }

    /// Moves the run on by one byte; at the end of the file it stays.
    mutating func advance(_ file: FileWindow) throws(EarshotError) {
        guard place + length < file.count else { return }
        let (first, next) = (try file.byte(place), try file.byte(place + length))
        value = (value &- (UInt64(first) &+ 1) &* weight) &* Self.base &+ UInt64(next) &+ 1
        place += 1
    }
}

/// The places of a file's blocks by their hash: every block that begins at a multiple of the size.
struct BlockIndex {
    let blockSize: Int
    private let file: FileWindow
    private var places: [UInt64: Int] = [:]

    init(_ file: FileWindow, mostBlocks: Int) throws(EarshotError) {
        self.file = file
        var size = 64
        while file.count / size > mostBlocks { size *= 2 }
        blockSize = size
        let piece = max(size, RawFile.pieceSize)
        for start in stride(from: 0, to: file.count, by: piece) {
            let bytes = try file.bytes(start..<min(start + piece, file.count))
            for place in stride(from: 0, through: bytes.count - size, by: size) {
                let hash = RollingHash.value(bytes, place..<place + size)
                // Of equal blocks, such as silence, the first will do.
                if places[hash] == nil { places[hash] = start + place }
            }
        }
    }

    /// A place with the same block as another file has at `place`; the bytes are compared.
    func find(_ hash: UInt64, _ other: FileWindow, _ place: Int) throws(EarshotError) -> Int? {
        guard place + blockSize <= other.count, let found = places[hash],
            try FileWindow.alike(other, place, file, found, atMost: blockSize) == blockSize
        else { return nil }
        return found
    }
}
