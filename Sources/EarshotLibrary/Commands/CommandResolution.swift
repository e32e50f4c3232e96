/// What a command may mean.
public struct CommandResolution: Hashable, Sendable {
    /// The command.
    public let command: LibraryCommand
    /// All that it may mean, the best first; empty where nothing is found, and for commands that name nothing.
    public let candidates: [LibraryCandidate]
    /// What it means without question; `nil` if somebody has to choose among ``candidates``.
    ///
    /// It is the only candidate of which the whole name was said, or the only one at all. A name that is merely like what was
    /// said is never taken without asking.
    public let choice: LibraryCandidate?

    /// `true` if somebody has to choose.
    public var isAmbiguous: Bool { choice == nil && !candidates.isEmpty }
}
