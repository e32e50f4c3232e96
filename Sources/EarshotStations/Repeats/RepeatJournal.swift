import EarshotCore
import EarshotMusic
import EarshotSignatures
import Foundation

/// The audio of a channel since the blocks were last written: a feed in a file, to which chunks are appended.
///
/// A chunk is written before it is analyzed, so a process that ends at any moment finds it again.
struct RepeatJournal: Sendable {
    let url: URL
    private var writer: LiveFeedWriter
    private var sequence: UInt64 = 0

    /// Starts a journal with some audio, and replaces an existing one.
    init(_ url: URL, channel: String, signature: Signature, begin: Int64) throws(EarshotError) {
        self.url = url
        writer = try LiveFeedWriter(channel: EntityID(channel))
        var bytes = [UInt8](writer.header)
        bytes += try records(signature, milliseconds: begin * 2)
        try AtomicFile.write(bytes, to: url, replacing: true)
    }

    /// Appends audio.
    ///
    /// - Throws: `writeFailed`.
    mutating func append(_ signature: Signature, milliseconds: Int64) throws(EarshotError) {
        let bytes = try records(signature, milliseconds: milliseconds)
        guard let handle = FileHandle(forWritingAtPath: url.path) else { throw failed(nil) }
        do {
            try handle.seekToEnd()
            try handle.write(contentsOf: Data(bytes))
            try handle.close()
        } catch {
            throw failed(error)
        }
    }

    private func failed(_ cause: (any Error)?) -> EarshotError {
        EarshotError(.writeFailed, "Cannot write \(url.path): check the space left on the disk.", cause: cause)
    }

    /// Returns audio as records of up to 20 s.
    private mutating func records(_ signature: Signature, milliseconds: Int64) throws(EarshotError) -> [UInt8] {
        let (length, all) = (20 * LiveTime.stepsPerSecond, LiveTime.steps(signature.duration))
        var bytes: [UInt8] = []
        var place: Int64 = 0
        while place < all {
            let count = min(length, all - place)
            let slice = signature.slice(from: LiveTime.time(place), duration: LiveTime.time(count))
            bytes += try writer.data(
                of: LiveChunk(sequence: sequence, milliseconds: milliseconds + place * 2, signature: slice.signature)
            )
            sequence += 1
            place += count
        }
        return bytes
    }
}
