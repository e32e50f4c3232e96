import Dispatch
public import EarshotCore
package import EarshotMedia
public import Foundation

extension TagFile {
    /// How tags are written.
    public struct WritingOptions: Hashable, Sendable {
        /// `true` if the decoded samples are compared too, besides the encoded packets: much slower.
        public var verifiesSamples = false
        /// `true` if the file keeps the time at which it was last changed. Music servers find changed files by that
        /// time.
        public var keepsModificationTime = false

        /// Packets are compared; the file has a new time.
        public init() {}
    }

    /// Changes the tags of a file, which at every moment is the old file or the new one.
    ///
    /// A copy beside the file is changed, flushed to the disk and checked: the tags read back as wanted, everything else in
    /// them as it was, and the encoded sound the same bit by bit. Then it takes the file's place in one step, with its
    /// rights and extended attributes, and with its owner and group as far as the system lets them be kept: a file whose group may do
    /// what others may not, and cannot be kept, is refused. A link keeps leading to the file; of several hard links, only this one gets
    /// the new tags. A file that already is as wanted is not touched.
    ///
    /// - Parameters:
    ///   - edit: What to change.
    ///   - url: The file.
    ///   - options: How.
    /// - Returns: The tags as they are now.
    /// - Throws: `writeFailed` when the file may not be written, the disk is full, or the result is not as wanted;
    ///   `metadataInvalid` when its kind of tags cannot hold the edit, or something in them would be lost; `fileChanged`
    ///   when somebody else writes to it; `cancelled`, and what ``load(_:)`` throws. The file then is as it was.
    @discardableResult
    public static func write(
        _ edit: TagEdit,
        to url: URL,
        options: WritingOptions = .init()
    ) async throws(EarshotError) -> TagFile {
        let cancellation = Cancellation()
        let queue = DispatchQueue(label: "earshot.media.tags", qos: .userInitiated)
        let result = await BlockingWork.run(on: queue, cancelling: cancellation) { () throws(EarshotError) in
            try writeBlocking(edit, to: url, options: options, cancellation: cancellation)
        }
        return try result.get()
    }

    /// The same as ``write(_:to:options:)``, on the caller's thread.
    package static func writeBlocking(
        _ edit: TagEdit,
        to url: URL,
        options: WritingOptions = .init(),
        cancellation: Cancellation = .init(),
        observe: (StagedTags.Step) -> Void = { _ in }
    ) throws(EarshotError) -> TagFile {
        StagedFile.removeLeftovers(in: StagedFile.folder(of: try StagedTags.resolved(url)))
        let prepared = try StagedTags.prepare(
            url,
            edit: edit,
            options: options,
            cancellation: cancellation,
            observe: observe
        )
        guard let prepared else { return try loadBlocking(url) }
        try prepared.commit()
        observe(.replaced)
        return prepared.tags
    }
}
