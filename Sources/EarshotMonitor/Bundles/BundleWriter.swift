public import EarshotBroadcast
public import EarshotCore
public import Foundation

/// Writes a bundle to a file, reference by reference.
///
/// ```swift
/// let writer = try BundleWriter(url, header: BundleHeader(id: "adverts", version: 3, creationDate: Date()))
/// try writer.add(BundleReference(id: "spot 7", signature: signature, title: "Spot 7"), work: work)
/// let summary = try writer.finish()
/// ```
///
/// References may come in any order. Data is written to the disk at once, so that a bundle of any length takes little
/// memory; the file has its name only once ``finish(replacing:)`` returns. The same additions give the same bytes.
public final class BundleWriter {
    /// Bytes that are handed on at once.
    private static let pieceSize = 1 << 20

    private var encoder: BundleEncoder
    private let file: AtomicFile
    private var held: [UInt8] = []
    private var failure: EarshotError?
    private var isFinished = false

    /// Creates a writer and begins the bundle.
    ///
    /// - Parameters:
    ///   - url: The file to write; its suffix should be `earbundle`.
    ///   - header: The header of the bundle.
    /// - Throws: `writeFailed` when the folder is missing or may not be written.
    public init(_ url: URL, header: BundleHeader) throws(EarshotError) {
        file = try AtomicFile(url)
        encoder = BundleEncoder(header)
        held = encoder.begin()
    }

    /// The counts so far. The digest and the size are valid only after ``finish(replacing:)``.
    public var summary: BundleSummary { encoder.summary }

    /// Adds a work. A work that was added before with the same content counts once.
    ///
    /// - Throws: `bundleInvalid` for a work that breaks a rule or has the identifier of another, `writeFailed`.
    public func add(_ work: VideoWork) throws(EarshotError) {
        try write(try encoder.bytes(of: work))
    }

    /// Adds a reference.
    ///
    /// - Parameters:
    ///   - reference: The reference; its work, where it names one, was added before or is given with it.
    ///   - work: Its work; the reference then need not name it.
    /// - Throws: `bundleInvalid` for an invalid reference, such as a duplicate name, an empty signature, or custom data
    ///   of more than 1 MiB. The reference is then left out, and more can be added. `writeFailed`.
    public func add(_ reference: BundleReference, work: VideoWork? = nil) throws(EarshotError) {
        var reference = reference
        if let work {
            try add(work)
            reference.workID = work.id
        }
        try write(try encoder.bytes(of: reference))
    }

    /// Completes the bundle and gives the file its name. Nothing can be added afterwards.
    ///
    /// - Parameter replacing: `true` to replace an existing file.
    /// - Returns: The counts and the digest of the bundle.
    /// - Throws: `destinationExists`, `writeFailed`.
    @discardableResult
    public func finish(replacing: Bool = false) throws(EarshotError) -> BundleSummary {
        guard !isFinished else { return encoder.summary }
        isFinished = true
        held += encoder.end()
        try flush()
        held = []
        try file.commit(replacing: replacing)
        return encoder.summary
    }

    private func write(_ bytes: [UInt8]) throws(EarshotError) {
        precondition(!isFinished, "Nothing can be added to a bundle that is finished.")
        held += bytes
        guard held.count >= Self.pieceSize else { return }
        try flush()
        held.removeAll(keepingCapacity: held.capacity <= 4 * Self.pieceSize)
    }

    /// Writes what is held. What failed once fails for good: nobody knows how much of it is in the file.
    private func flush() throws(EarshotError) {
        if let failure { throw failure }
        do {
            try file.write(held)
        } catch {
            failure = error
            throw error
        }
    }
}
