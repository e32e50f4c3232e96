/// The possible meanings of a command.
public struct CommandResolution: Hashable, Sendable {
    /// The command.
    public let command: LibraryCommand
    /// All albums, artists and tracks that the command may mean, best first; empty if nothing is found or the command has no name.
    public let candidates: [LibraryCandidate]
    /// The unambiguous meaning; `nil` if the user has to choose among ``candidates``.
    ///
    /// It is the only candidate, or the only one whose whole name was given. A name that is only similar is never
    /// chosen without asking.
    public let choice: LibraryCandidate?

    /// `true` if there are candidates and the user has to choose among them.
    public var isAmbiguous: Bool { choice == nil && !candidates.isEmpty }
}
