/// The possible meanings of a command.
public struct CommandResolution: Hashable, Sendable {
    /// The command.
    public let command: LibraryCommand
    /// All that it may mean, the best first; empty where nothing is found, and for commands that name nothing.
    public let candidates: [LibraryCandidate]
    /// The unambiguous meaning; `nil` if the user has to choose among ``candidates``.
    ///
    /// It is the only candidate, or the only one whose whole name was given. A name that is only similar is never
    /// chosen without asking.
    public let choice: LibraryCandidate?

    /// `true` if somebody has to choose.
    public var isAmbiguous: Bool { choice == nil && !candidates.isEmpty }
}
