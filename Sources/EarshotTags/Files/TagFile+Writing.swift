import Dispatch
public import EarshotCore
package import EarshotMedia
public import Foundation

extension TagFile {
    /// The options of writing tags.
    public struct WritingOptions: Hashable, Sendable {
        /// `true` to verify the decoded samples too, besides the encoded packets: much slower. Default: `false`.
        public var verifiesSamples = false
        /// `true` to keep the modification time of the file. Music servers find changed files by that time. Default:
        /// `false`.
        public var keepsModificationTime = false

        /// Creates the default options: encoded packets are verified, and the file gets a new modification time.
        public init() {}
    }

    /// Changes the tags of a file atomically.
    ///
    /// A copy in the same folder is changed, flushed to the disk and verified: the edited tags have the new values,
    /// everything else is unchanged, and the encoded audio is identical bit by bit. The copy then replaces the file in
    /// one step, with the same permissions and extended attributes, and with the same owner and group if the system
    /// allows it. If the group cannot be kept and has permissions that others do not have, writing fails. A symbolic
    /// link still leads to the file; of several hard links, only this one gets the new tags. A file that already has
    /// the values is not written.
    ///
    /// - Parameters:
    ///   - edit: The changes.
    ///   - url: The file.
    ///   - options: The options of writing.
    /// - Returns: The tags after the change.
    /// - Throws: `writeFailed` if the file cannot be written, the disk is full, or verification fails;
    ///   `metadataInvalid` if the tag format does not support the edit, or data in the tags would be lost;
    ///   `fileChanged` if another program writes to the file; `cancelled`, and the errors of ``load(_:)``. The file is
    ///   unchanged then.
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

    /// Changes the tags of a file on the caller's thread, as ``write(_:to:options:)`` does.
    ///
    /// - Parameters:
    ///   - edit: The changes.
    ///   - url: The file.
    ///   - options: The options of writing.
    ///   - cancellation: Cancels the work.
    ///   - observe: Called after each step.
    /// - Throws: The errors of ``write(_:to:options:)``.
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
