import Foundation

/// Tracks to measure with: a manifest or a folder.
public struct MusicList: Sendable {
    /// A file, its name, and which others are the same music.
    public struct Track: Sendable {
        /// The name in results.
        public let id: String
        /// Where it is.
        public let url: URL
        /// Tracks of one group count as one when tracks are left out: versions of one piece, or one album.
        public let group: String
    }

    /// The tracks, ordered by name.
    public let tracks: [Track]

    /// Tracks of a CSV file or of a folder.
    ///
    /// - Parameters:
    ///   - path: A CSV file with the columns `id` and `path`, the path counting from the file's folder, and perhaps
    ///     `group`; or a folder, where files in one folder below it are one group.
    ///   - filter: `column=value`: only these rows of the file.
    /// - Throws: ``Failure`` when there is nothing to be read there.
    public init(_ path: String, filter: String? = nil) throws {
        let url = URL(fileURLWithPath: path)
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw Failure("There is no list or folder of music at \(path): check the path.")
        }
        let found = isFolder.boolValue ? Self.walk(url) : try Self.read(url, filter: filter)
        tracks = found.sorted { $0.id < $1.id }
        guard !tracks.isEmpty else { throw Failure("No music is named by \(path).") }
        guard Set(tracks.map(\.id)).count == tracks.count else { throw Failure("\(path) has a name twice.") }
    }

    private static func read(_ url: URL, filter: String?) throws -> [Track] {
        let table = try CSVTable(contentsOf: url)
        let id = try table.requiredColumn("id", of: url.path)
        let path = try table.requiredColumn("path", of: url.path)
        let group = table.column("group")
        var rows = table.rows
        if let filter {
            let parts = filter.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2 else { throw Failure("A filter is column=value, not \(filter).") }
            let column = try table.requiredColumn(parts[0], of: url.path)
            rows = rows.filter { $0[column] == parts[1] }
        }
        let folder = url.deletingLastPathComponent()
        return rows.map { row in
            let place = row[path]
            let file = place.hasPrefix("/") ? URL(fileURLWithPath: place) : folder.appendingPathComponent(place)
            let name = group.map { row[$0] } ?? ""
            return Track(id: row[id], url: file, group: name.isEmpty ? row[id] : name)
        }
    }

    private static func walk(_ folder: URL) -> [Track] {
        let kinds: Set<String> = [
            "aac", "aif", "aiff", "flac", "m4a", "mka", "mp3", "oga", "ogg", "opus", "wav", "wma", "wv",
        ]
        var tracks: [Track] = []
        let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        for name in names where kinds.contains((name as NSString).pathExtension.lowercased()) {
            let parent = (name as NSString).deletingLastPathComponent
            let url = folder.appendingPathComponent(name)
            tracks.append(Track(id: name, url: url, group: parent.isEmpty ? name : parent))
        }
        return tracks
    }
}
