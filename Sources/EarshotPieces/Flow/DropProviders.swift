/// Provides the files of a drop, on request.
///
/// The calls come on any thread and may take their time. What a call throws ends the drop with its words.
public protocol DropProviders: Sendable {
    /// The mix, which an app that opens the piece uses in its timeline.
    func mixStem(for draft: PieceDraft) async throws -> AudioBundle
    /// The stems of the mix, such as the drums alone, each with a unique name; empty if there are none.
    ///
    /// All of them begin where the mix begins.
    func stems(for draft: PieceDraft) async throws -> [PieceStem]
    /// The preview for listeners; `nil` to use the mix.
    func preview(for draft: PieceDraft) async throws -> AudioBundle?
    /// A picture; `nil` for none.
    func cover(for draft: PieceDraft) async throws -> CoverImage?
    /// A file that travels along; `nil` for none.
    func attachment(for draft: PieceDraft) async throws -> AttachmentBundle?
    /// The drop is over.
    ///
    /// - Parameter succeeded: `true` if the piece was published.
    func closed(succeeded: Bool) async
}

extension DropProviders {
    /// None besides the mix.
    public func stems(for draft: PieceDraft) async throws -> [PieceStem] { [] }
    /// None: the mix stem serves.
    public func preview(for draft: PieceDraft) async throws -> AudioBundle? { nil }
    /// None.
    public func cover(for draft: PieceDraft) async throws -> CoverImage? { nil }
    /// None.
    public func attachment(for draft: PieceDraft) async throws -> AttachmentBundle? { nil }
    /// Nothing is done.
    public func closed(succeeded: Bool) async {}
}
