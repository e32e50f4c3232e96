import EarshotMusic

/// Finds the albums, artists and tracks that a command may mean in a library. It plays nothing.
public struct CommandResolver: Sendable {
    private let index: LibraryIndex

    /// Creates a resolver for the current items of an index.
    public init(_ index: LibraryIndex) {
        self.index = index
    }

    /// Resolves a command.
    ///
    /// - Parameters:
    ///   - command: The command.
    ///   - context: The current context: of several tracks with the same name, the one in this context is chosen.
    public func resolve(_ command: LibraryCommand, in context: PlayContext? = nil) -> CommandResolution {
        guard let name = command.name else {
            return CommandResolution(command: command, candidates: [], choice: nil)
        }
        let query = SearchQuery(name)
        var candidates: [LibraryCandidate] = []
        switch command {
        case .playAlbum: candidates = index.albums(for: query)
        case .playTrack: candidates = index.tracks(for: query)
        case .playArtist: candidates = index.artists(for: query)
        case .play: candidates = index.albums(for: query) + index.artists(for: query) + index.tracks(for: query)
        case .source, .nextTrack: break
        }
        // What is only similar is no alternative to what was said.
        if candidates.contains(where: { $0.reason != .similar }) { candidates.removeAll { $0.reason == .similar } }
        candidates.sort(by: LibraryCandidate.precedes)
        return CommandResolution(command: command, candidates: candidates, choice: choice(candidates, context))
    }

    private func choice(_ candidates: [LibraryCandidate], _ context: PlayContext?) -> LibraryCandidate? {
        guard let best = candidates.first else { return nil }
        guard best.reason.isWhole else { return candidates.count == 1 && best.reason != .similar ? best : nil }
        let leading = candidates.filter { $0.reason == best.reason }
        if leading.count == 1 { return best }
        guard case .album(let album) = context else { return nil }
        let playing = leading.filter { candidate in
            if case .track(let item) = candidate.subject { index.albumKey(of: item.id) == album } else { false }
        }
        return playing.count == 1 && leading.allSatisfy(\.isTrack) ? playing.first : nil
    }
}

extension LibraryCandidate {
    fileprivate var isTrack: Bool {
        if case .track = subject { true } else { false }
    }
}
