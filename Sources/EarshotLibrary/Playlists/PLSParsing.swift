import EarshotCore
import Foundation

/// Reads a playlist of numbered keys.
struct PLSParsing {
    private let resolver: PlaylistLocation
    private let limits: PlaylistReader.Limits
    private let name: String

    init(_ resolver: PlaylistLocation, _ limits: PlaylistReader.Limits, _ name: String) {
        (self.resolver, self.limits, self.name) = (resolver, limits, name)
    }

    func playlist(_ lines: [PlaylistText.Line]) throws(EarshotError) -> Playlist {
        guard lines.first?.text.lowercased() == "[playlist]" else {
            throw EarshotError(
                .metadataInvalid,
                "\(name), line \(lines.first?.number ?? 1): a playlist in PLS begins with [playlist]: is it one?"
            )
        }
        // The numbers say the order, not the lines; numbers may be missing, and the count at the end need not be right.
        var entries: [Int: PlaylistEntry] = [:]
        for (number, line) in lines.dropFirst() {
            guard let (key, place, value) = Self.parts(line) else { continue }
            if entries[place] == nil {
                guard entries.count < limits.entries else {
                    throw PlaylistFault.tooMany(limits.entries, name, line: number)
                }
                entries[place] = PlaylistEntry(url: nil)
            }
            switch key {
            case .file:
                guard let url = resolver.url(ofPath: value) else {
                    throw PlaylistFault.address(value, name, line: number)
                }
                entries[place]?.url = url
            case .title: entries[place]?.title = PlaylistValue.text(value)
            case .length: entries[place]?.duration = PlaylistValue.duration(value)
            }
            if number % 1_024 == 0, Task.isCancelled { throw PlaylistFault.cancelled(name) }
        }
        return Playlist(
            entries: entries.sorted { $0.key < $1.key }.map(\.value).filter { $0.url != nil }
        )
    }

    private enum Key: String, CaseIterable {
        case file, title, length
    }

    /// `File12=…`; `nil` for other lines, such as the count and the version.
    private static func parts(_ line: Substring) -> (Key, Int, Substring)? {
        guard let sign = line.firstIndex(of: "=") else { return nil }
        let head = line[..<sign].lowercased()
        let value = line[line.index(after: sign)...].drop(while: \.isWhitespace)
        for key in Key.allCases where head.hasPrefix(key.rawValue) {
            guard let place = PlaylistValue.number(head.dropFirst(key.rawValue.count)) ?? Self.zero(head, key) else {
                return nil
            }
            return value.isEmpty ? nil : (key, place, value)
        }
        return nil
    }

    /// Some writers count from 0.
    private static func zero(_ head: String, _ key: Key) -> Int? {
        head.dropFirst(key.rawValue.count) == "0" ? 0 : nil
    }
}
