/// The files of a folder by their audio, during a scan.
struct FolderIdentities {
    /// Files that are items, by their audio; the first one known stands first.
    private var items: [AudioKey: [String]] = [:]
    /// Files that are copies of others.
    private var copies: [AudioKey: [String]] = [:]
    /// Files that are gone, by their audio.
    private var gone: [AudioKey: [String]] = [:]
    /// Gone files whose items were found elsewhere.
    private var claimed: Set<String> = []

    /// Takes a file that is there.
    mutating func enter(_ file: KnownFile) {
        guard let audio = file.audio else { return }
        if file.isCopy {
            if copies[audio]?.contains(file.path) != true { copies[audio, default: []].append(file.path) }
        } else {
            copies[audio]?.removeAll { $0 == file.path }
            if items[audio]?.contains(file.path) != true { items[audio, default: []].append(file.path) }
        }
    }

    /// Gives up a file that has other audio now or another name, or is gone.
    mutating func leave(_ file: KnownFile, isGone: Bool = false) {
        if let audio = file.audio { leave(file.path, audio, isGone: isGone) }
    }

    /// Gives up a file of some audio.
    mutating func leave(_ path: String, _ audio: AudioKey, isGone: Bool) {
        items[audio]?.removeAll { $0 == path }
        if items[audio]?.isEmpty ?? false { items[audio] = nil }
        copies[audio]?.removeAll { $0 == path }
        if isGone { gone[audio, default: []].append(path) }
    }

    /// A file that is gone and had some audio, which is then found.
    mutating func claim(_ audio: AudioKey) -> String? {
        guard let path = gone[audio]?.first(where: { !claimed.contains($0) }) else { return nil }
        claimed.insert(path)
        return path
    }

    /// Returns `true` if nothing was found for a file that is gone.
    func isLeft(_ path: String) -> Bool { !claimed.contains(path) }

    /// The first file that is an item of some audio.
    func first(of audio: AudioKey) -> String? { items[audio]?.first }

    /// All files of some audio, items before copies.
    func paths(of audio: AudioKey) -> [String] { all(of: audio) + copies(of: audio) }

    /// All files that are items of some audio.
    func all(of audio: AudioKey) -> [String] { items[audio] ?? [] }

    /// The files that have some audio and are copies of others.
    func copies(of audio: AudioKey) -> [String] { copies[audio] ?? [] }
}
