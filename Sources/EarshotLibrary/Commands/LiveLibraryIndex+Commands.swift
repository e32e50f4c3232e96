extension LiveLibraryIndex {
    /// What a command may mean, by what is indexed so far.
    ///
    /// - Parameters:
    ///   - command: The command.
    ///   - context: What is playing: a track of it is preferred to one of the same name elsewhere.
    public func resolve(_ command: LibraryCommand, in context: PlayContext? = nil) -> CommandResolution {
        CommandResolver(snapshot).resolve(command, in: context)
    }
}
