package import EarshotCore
package import EarshotMedia
package import Foundation

/// A copy of a file with changed tags, verified and ready to replace the file.
///
/// Not thread-safe; its functions block.
package final class StagedTags {
    /// The steps of writing one file. Tests examine the disk between them.
    package enum Step: String, CaseIterable, Sendable {
        case copied, edited, verified, recorded, replaced, moved
    }

    /// The path of the file, with symbolic links resolved.
    package let path: String
    /// The file before the change.
    package let old: RawFile
    package let oldDigest: FileDigest
    package let newDigest: FileDigest
    /// The tags of the changed copy.
    package let tags: TagFile
    /// The changed copy, under its temporary name.
    package let staged: StagedFile
    private let identity: FileIdentity

    /// Creates and verifies the changed copy; returns `nil` if the file already has the values of the edit.
    ///
    /// - Parameters:
    ///   - url: The file, or a symbolic link to it.
    ///   - edit: The changes.
    ///   - expected: The state of the tags for which the edit was made; `nil` to omit the check.
    ///   - options: The options of writing.
    ///   - cancellation: Cancels the work; the file is unchanged then.
    ///   - observe: Called after each step.
    /// - Throws: The errors of ``TagFile/write(_:to:options:)``; `fileChanged` if the tags are not in the expected
    ///   state.
    package static func prepare(
        _ url: URL,
        edit: TagEdit,
        expected: TagState? = nil,
        options: TagFile.WritingOptions,
        cancellation: Cancellation = .init(),
        observe: (Step) -> Void = { _ in }
    ) throws(EarshotError) -> StagedTags? {
        let path = try resolved(url)
        let old = try RawFile(reading: path)
        let status = try old.status()
        let before = try TagFile.load(old, as: url)
        if let expected, expected != before.state {
            throw EarshotError(
                .fileChanged,
                "\(url.path) is left as it is because its tags are no longer those that the change was planned for: plan it again."
            )
        }
        let wanted = TagExpectation(edit, before)
        guard wanted.isChange else { return nil }
        return try StagedTags(path, old, status, wanted, options, cancellation, observe)
    }

    private init(
        _ path: String,
        _ old: RawFile,
        _ status: stat,
        _ wanted: TagExpectation,
        _ options: TagFile.WritingOptions,
        _ cancellation: Cancellation,
        _ observe: (Step) -> Void
    ) throws(EarshotError) {
        (self.path, self.old, identity) = (path, old, FileIdentity(status))
        // The folder alone decides whether a file can be replaced; who wrote-protects a file means its contents.
        guard status.st_mode & 0o222 != 0, access(path, W_OK) == 0 else { throw RawFile.writeFailure(EACCES, path) }
        staged = try StagedFile(in: StagedFile.folder(of: path), for: path)
        oldDigest = try staged.copy(old, cancellation: cancellation)
        try staged.takeAttributes(of: old)
        observe(.copied)
        try TagLibFile(staged.file, name: path).write(wanted.edit)
        if options.keepsModificationTime { staged.setModificationTime(FileTime(status)) }
        try staged.file.synchronize()
        observe(.edited)
        // Through a descriptor of its own, as whoever opens it later.
        let copy = try RawFile(reading: staged.file.path)
        tags = try TagFile.load(copy, as: wanted.before.url)
        try wanted.check(tags)
        newDigest = try FileDigest(of: copy)
        do throws(EarshotError) {
            for content in options.verifiesSamples ? [AudioDigest.Content.packets, .samples] : [.packets] {
                try Self.compare(path, staged.url, content, cancellation)
            }
        } catch {
            // What differs then is the work of somebody else.
            let isUntouched = try self.isUntouched()
            guard error.code == .cancelled || isUntouched else { throw changedMeanwhile() }
            throw error
        }
        guard try isUntouched() else { throw changedMeanwhile() }
        observe(.verified)
    }

    private static func compare(
        _ path: String,
        _ copy: URL,
        _ content: AudioDigest.Content,
        _ cancellation: Cancellation
    ) throws(EarshotError) {
        let before = try AudioDigest.blocking(URL(fileURLWithPath: path), content, cancellation: cancellation)
        let after: AudioDigest
        do throws(EarshotError) {
            after = try AudioDigest.blocking(copy, content, cancellation: cancellation)
        } catch  where error.code != .cancelled {
            throw EarshotError(.writeFailed, Self.wouldChangeSound(path), cause: error)
        }
        guard before == after else { throw EarshotError(.writeFailed, Self.wouldChangeSound(path)) }
    }

    private static func wouldChangeSound(_ path: String) -> String {
        "\(path) is left as it is because writing its tags would have changed its sound: it may be damaged; check it "
            + "with `earshot probe`."
    }

    /// Replaces the file by the copy.
    ///
    /// - Throws: `fileChanged` if another program has changed the file since; `writeFailed`.
    package func commit() throws(EarshotError) {
        guard try isUntouched() else { throw changedMeanwhile() }
        try staged.replace(path)
    }

    /// Returns `true` if the name still leads to the file that was read, and nobody has written to it.
    private func isUntouched() throws(EarshotError) -> Bool {
        try FileIdentity.of(path) == identity
    }

    private func changedMeanwhile() -> EarshotError {
        EarshotError(.fileChanged, "\(path) was changed by somebody else while its tags were written: try again.")
    }

    /// Returns a path with symbolic links resolved, so that writing replaces the file and not a link to it.
    ///
    /// - Throws: `assetNotFound`, `assetUnreadable`.
    package static func resolved(_ url: URL) throws(EarshotError) -> String {
        guard let real = realpath(url.path, nil) else { throw RawFile.readFailure(errno, url.path) }
        defer { free(real) }
        return String(cString: real)
    }
}
