/// Provides the files of a drop, on request.
///
/// The functions may be called on any thread and may take time. An error that a function throws ends the drop and is
/// reported.
public protocol DropProviders: Sendable {
    /// Returns the mix, which an app that opens the piece uses in its timeline.
    func mixStem(for draft: PieceDraft) async throws -> AudioBundle
    /// Returns the stems of the mix, such as the drums alone, each with a unique name; empty if there are none. All
    /// stems begin where the mix begins.
    func stems(for draft: PieceDraft) async throws -> [PieceStem]
    /// Returns the preview for listeners; `nil` to use the mix.
    func preview(for draft: PieceDraft) async throws -> AudioBundle?
    /// Returns the cover; `nil` for none.
    func cover(for draft: PieceDraft) async throws -> CoverImage?
    /// Returns a file to attach; `nil` for none.
    func attachment(for draft: PieceDraft) async throws -> AttachmentBundle?
    /// Ends the drop.
    ///
    /// - Parameter succeeded: `true` if the piece was published.
    func closed(succeeded: Bool) async
}

extension DropProviders {
    /// Returns no stems.
    public func stems(for draft: PieceDraft) async throws -> [PieceStem] { [] }
    /// Returns no preview, so that the mix serves.
    public func preview(for draft: PieceDraft) async throws -> AudioBundle? { nil }
    /// Returns no cover.
    public func cover(for draft: PieceDraft) async throws -> CoverImage? { nil }
    /// Returns no attachment.
    public func attachment(for draft: PieceDraft) async throws -> AttachmentBundle? { nil }
    /// Does nothing.
    public func closed(succeeded: Bool) async {}
}
