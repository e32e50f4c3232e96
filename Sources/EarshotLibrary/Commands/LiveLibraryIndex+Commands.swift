extension LiveLibraryIndex {
    /// Resolves a command with the items indexed so far.
    ///
    /// - Parameters:
    ///   - command: The command.
    ///   - context: The current context: its tracks are preferred to those with the same name elsewhere.
    public func resolve(_ command: LibraryCommand, in context: PlayContext? = nil) -> CommandResolution {
        CommandResolver(snapshot).resolve(command, in: context)
    }
}
