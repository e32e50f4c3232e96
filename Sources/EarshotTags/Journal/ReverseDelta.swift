import EarshotCore
import EarshotMedia

/// The code of a delta that makes the old bytes of a file out of its new ones: runs to copy from the new file, and
/// bytes that it does not have.
///
/// A delta is a run of operations, each beginning with a number in groups of seven bits (LEB128): its length times two,
/// plus one for a copy. A copy is followed by the distance of its place from the end of the copy before, likewise in
/// groups, with the sign in the lowest bit; an insertion by its bytes. The old file is complete when it has its size.
enum ReverseDelta {
    /// Finds the operations.
    ///
    /// - Parameters:
    ///   - old: The file that the operations make.
    ///   - new: The file that they make it of.
    ///   - emit: Given the operations in runs of bytes.
    static func make(
        old: RawFile,
        new: RawFile,
        emit: ([UInt8]) throws(EarshotError) -> Void
    ) throws(EarshotError) {
        let (old, new) = (try FileWindow(old), try FileWindow(new))
        var matcher = Matcher(old, new)
        var output = Output()
        /// The place in the old file up to which all is said.
        var said = 0
        var place = 0
        while place < old.count {
            guard let match = try matcher.match(at: place, passed: place - said) else {
                try matcher.advance()
                place += 1
                continue
            }
            // What was passed over may be alike, too.
            let back = try FileWindow.alikeBefore(old, place, new, match.place, atMost: place - said)
            try output.insert(old, said..<place - back, emit)
            try output.copy(match.place - back, match.count + back, emit)
            place += match.count
            said = place
        }
        try output.insert(old, said..<old.count, emit)
        try output.flush(emit)
    }

    /// One insertion of the whole file, for a delta that does not give the old bytes.
    static func whole(_ old: RawFile, emit: ([UInt8]) throws(EarshotError) -> Void) throws(EarshotError) {
        let window = try FileWindow(old)
        var output = Output()
        try output.insert(window, 0..<window.count, emit)
        try output.flush(emit)
    }

    /// Finds runs of the old file in the new one.
    private struct Matcher {
        /// Bytes that must be alike for a run to be copied: less takes more room than it saves.
        private static let least = 24
        /// Blocks of the new file that are known by their hash, at most: 262,144 take 8 MiB.
        private static let mostBlocks = 1 << 18
        /// The number of bytes for which the two files are followed side by side after a difference, before a run is
        /// looked for elsewhere. The pages of Ogg differ in a few bytes of each header, the tables of MP4 in one or two
        /// of every four.
        private static let lookAhead = 64

        private let old: FileWindow
        private let new: FileWindow
        /// Made when it is first needed, which is seldom.
        private var index: BlockIndex?
        /// The place in the new file that lies beside the one in the old.
        private var beside = 0
        /// The hash of the block at the place, where it is known.
        private var hash: RollingHash?

        init(_ old: FileWindow, _ new: FileWindow) {
            (self.old, self.new) = (old, new)
        }

        /// Finds the run of the new file that begins at a place of the old one. Returns its place and length; `nil` if
        /// there is none.
        mutating func match(at place: Int, passed: Int) throws(EarshotError) -> (place: Int, count: Int)? {
            if let count = try length(place, beside) { return follow(beside, count) }
            guard passed >= Self.lookAhead || beside >= new.count else { return nil }
            // Where only what stands before the sound became longer or shorter, all behind it has moved by as much.
            let moved = place + new.count - old.count
            if let count = try length(place, moved) { return follow(moved, count) }
            if index == nil { index = try BlockIndex(new, mostBlocks: Self.mostBlocks) }
            guard let index else { return nil }
            if hash == nil { hash = try RollingHash(old, at: place, length: index.blockSize) }
            guard let value = hash?.value, let found = try index.find(value, old, place),
                let count = try length(place, found)
            else { return nil }
            return follow(found, count)
        }

        /// Goes on with the next byte of the old file.
        mutating func advance() throws(EarshotError) {
            try hash?.advance(old)
            beside += 1
        }

        private mutating func follow(_ place: Int, _ count: Int) -> (place: Int, count: Int) {
            beside = place + count
            hash = nil
            return (place, count)
        }

        /// The number of equal bytes from two places on; `nil` if it is too little.
        private func length(_ place: Int, _ other: Int) throws(EarshotError) -> Int? {
            guard other >= 0, other < new.count else { return nil }
            let count = try FileWindow.alike(old, place, new, other, atMost: .max)
            return count >= Self.least || count > 0 && place + count == old.count ? count : nil
        }
    }

    /// Operations as bytes, given on in pieces.
    private struct Output {
        private var bytes = ByteWriter()
        private var end = 0

        mutating func copy(
            _ place: Int,
            _ count: Int,
            _ emit: ([UInt8]) throws(EarshotError) -> Void
        ) throws(EarshotError) {
            bytes.writeVariable(UInt64(count) << 1 | 1)
            let distance = place - end
            bytes.writeVariable(UInt64(distance.magnitude) << 1 | (distance < 0 ? 1 : 0))
            end = place + count
            if bytes.bytes.count >= RawFile.pieceSize { try flush(emit) }
        }

        mutating func insert(
            _ old: FileWindow,
            _ range: Range<Int>,
            _ emit: ([UInt8]) throws(EarshotError) -> Void
        ) throws(EarshotError) {
            var rest = range
            while !rest.isEmpty {
                let piece = rest.prefix(RawFile.pieceSize)
                bytes.writeVariable(UInt64(piece.count) << 1)
                bytes.write(contentsOf: try old.bytes(piece))
                rest = piece.endIndex..<rest.upperBound
                if bytes.bytes.count >= RawFile.pieceSize { try flush(emit) }
            }
        }

        mutating func flush(_ emit: ([UInt8]) throws(EarshotError) -> Void) throws(EarshotError) {
            guard !bytes.bytes.isEmpty else { return }
            try emit(bytes.bytes)
            bytes = ByteWriter()
        }
    }
}
