import EarshotCore
import EarshotMedia

/// Bytes of a file at any place, a piece of it in memory at a time.
///
/// Not thread-safe; its calls block.
final class FileWindow {
    private static let size = 1 << 18

    let count: Int
    private let file: RawFile
    private var start = 0
    private var held: [UInt8] = []

    init(_ file: RawFile) throws(EarshotError) {
        self.file = file
        count = try file.size()
    }

    /// Makes sure that a place is in memory.
    private func hold(_ place: Int) throws(EarshotError) {
        if place >= start, place < start + held.count { return }
        // Some of what lies before, too: matches are followed backwards.
        start = max(0, place - Self.size / 4)
        held = try file.read(Self.size, at: start)
        guard place < start + held.count else {
            throw EarshotError(.fileChanged, "\(file.path) became shorter while it was read: try again.")
        }
    }

    /// One byte; `place` has to be within the file.
    func byte(_ place: Int) throws(EarshotError) -> UInt8 {
        try hold(place)
        return held[place - start]
    }

    func bytes(_ range: Range<Int>) throws(EarshotError) -> [UInt8] {
        let bytes = try file.read(range.count, at: range.lowerBound)
        guard bytes.count == range.count else {
            throw EarshotError(.fileChanged, "\(file.path) became shorter while it was read: try again.")
        }
        return bytes
    }

    /// Returns the number of equal bytes from two places on.
    static func alike(
        _ a: FileWindow,
        _ placeA: Int,
        _ b: FileWindow,
        _ placeB: Int,
        atMost limit: Int
    ) throws(EarshotError) -> Int {
        let limit = min(limit, a.count - placeA, b.count - placeB)
        var done = 0
        while done < limit {
            try a.hold(placeA + done)
            try b.hold(placeB + done)
            let (offsetA, offsetB) = (placeA + done - a.start, placeB + done - b.start)
            let count = min(limit - done, a.held.count - offsetA, b.held.count - offsetB)
            let equal = a.held.withUnsafeBytes { bytesA in
                b.held.withUnsafeBytes { bytesB in
                    // Eight at a time, then the first that differs.
                    var index = 0
                    while index + 8 <= count,
                        bytesA.loadUnaligned(fromByteOffset: offsetA + index, as: UInt64.self)
                            == bytesB.loadUnaligned(fromByteOffset: offsetB + index, as: UInt64.self)
                    {
                        index += 8
                    }
                    while index < count, bytesA[offsetA + index] == bytesB[offsetB + index] { index += 1 }
                    return index
                }
            }
            done += equal
            if equal < count { break }
        }
        return done
    }

    /// Returns the number of equal bytes just before two places.
    static func alikeBefore(
        _ a: FileWindow,
        _ placeA: Int,
        _ b: FileWindow,
        _ placeB: Int,
        atMost limit: Int
    ) throws(EarshotError) -> Int {
        let limit = min(limit, placeA, placeB)
        var done = 0
        while done < limit, try a.byte(placeA - done - 1) == b.byte(placeB - done - 1) { done += 1 }
        return done
    }
}
