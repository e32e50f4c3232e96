import EarshotCore
import EarshotMedia

/// Makes an old file out of a new one and the operations of a ``ReverseDelta``, which come in pieces.
///
/// The operations come from a file that may be damaged: nothing is read or written outside the two sizes.
struct DeltaApplication {
    private let new: RawFile
    private let newSize: Int
    private let oldSize: Int
    private var pending: [UInt8] = []
    /// Bytes that the current insertion still wants.
    private var insertion = 0
    private var end = 0
    private var written = 0

    /// - Parameters:
    ///   - new: The new file.
    ///   - oldSize: The size of the result, in bytes.
    init(_ new: RawFile, oldSize: Int) throws(EarshotError) {
        (self.new, self.oldSize) = (new, oldSize)
        newSize = try new.size()
    }

    /// Takes the next operations, of which the last may go on in the next piece.
    ///
    /// - Parameter output: Given what comes next of the old file.
    mutating func apply(_ piece: [UInt8], _ output: ([UInt8]) throws(EarshotError) -> Void) throws(EarshotError) {
        pending += piece
        var reader = ByteReader(pending)
        var done = 0
        while reader.remaining > 0 {
            if insertion > 0 {
                let count = min(insertion, reader.remaining)
                guard let bytes = reader.read(count: count) else { break }
                try give(Array(bytes), output)
                insertion -= count
            } else {
                guard try operation(&reader, output) else { break }
            }
            done = reader.offset
        }
        pending.removeFirst(done)
        // A number takes ten bytes at most.
        guard pending.count <= 20 else { throw Self.damaged }
    }

    /// Reads one operation; nothing is taken when it is not wholly there.
    private mutating func operation(
        _ reader: inout ByteReader,
        _ output: ([UInt8]) throws(EarshotError) -> Void
    ) throws(EarshotError) -> Bool {
        guard let head = reader.readVariable() else { return false }
        guard let count = Int(exactly: head >> 1), count > 0, count <= oldSize - written else { throw Self.damaged }
        guard head & 1 == 1 else {
            insertion = count
            return true
        }
        guard let distance = reader.readVariable() else { return false }
        guard let magnitude = Int(exactly: distance >> 1), magnitude <= newSize else { throw Self.damaged }
        let place = distance & 1 == 1 ? end - magnitude : end + magnitude
        guard place >= 0, count <= newSize - place else { throw Self.damaged }
        var rest = place..<place + count
        while !rest.isEmpty {
            let bytes = try new.read(min(rest.count, RawFile.pieceSize), at: rest.lowerBound)
            guard !bytes.isEmpty else { throw Self.damaged }
            try give(bytes, output)
            rest = rest.lowerBound + bytes.count..<rest.upperBound
        }
        end = place + count
        return true
    }

    private mutating func give(
        _ bytes: [UInt8],
        _ output: ([UInt8]) throws(EarshotError) -> Void
    ) throws(EarshotError) {
        written += bytes.count
        try output(bytes)
    }

    /// Says that there is no more.
    ///
    /// - Throws: `storeDamaged` when the old file is not whole.
    func finish() throws(EarshotError) {
        guard written == oldSize, pending.isEmpty, insertion == 0 else { throw Self.damaged }
    }

    private static var damaged: EarshotError {
        EarshotError(
            .storeDamaged,
            "The journal's copy of the old file is damaged: restore the file from a backup."
        )
    }
}
