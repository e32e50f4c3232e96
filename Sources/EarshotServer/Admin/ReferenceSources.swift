import EarshotAPI
import EarshotCore
import EarshotLibrary
import Foundation

/// Finds the files of media folders that references were made of.
///
/// A catalog contains no paths. A reference that was made of a file is named after it; others are compared by title and artist. A file counts
/// only if it has the same duration.
struct ReferenceSources: Sendable {
    /// The service of the media folders; `nil` if there are none.
    let media: MediaService?

    /// Returns the files that are known at present.
    func state() async -> State {
        guard let media else { return State([], nil) }
        return State(await media.index.state().index.items, media.roots)
    }

    /// The files at one moment.
    struct State: Sendable {
        /// The largest difference between the durations of a file and of the reference, in seconds.
        private static let tolerance = 1.5

        private let items: [MusicItem]
        private let roots: MediaRoots?
        private let named: [String: [MusicItem]]

        fileprivate init(_ items: [MusicItem], _ roots: MediaRoots?) {
            self.items = items
            self.roots = roots
            named = Dictionary(grouping: items) { $0.assetURL.map { Self.stem($0.lastPathComponent) } ?? "" }
        }

        /// Returns the identifier of the file that a reference was made of; `nil` if none is known.
        func asset(of reference: ReferenceRecord) -> String? {
            guard let roots else { return nil }
            let parts = reference.id.split(separator: "/").map(String.init)
            let namesakes = parts.last.flatMap { named[Self.stem($0)] } ?? []
            var best = namesakes.filter { fits($0, reference) }.max { common($0, parts) < common($1, parts) }
            if best == nil, let title = reference.title, let artist = reference.artist {
                best = items.first { $0.title == title && $0.artist == artist && fits($0, reference) }
            }
            return best?.assetURL.flatMap { roots.id(of: $0) }
        }

        private func fits(_ item: MusicItem, _ reference: ReferenceRecord) -> Bool {
            guard let duration = item.duration else { return true }
            return abs(duration.seconds - reference.duration) <= Self.tolerance
        }

        /// Returns the number of folders, counted from the file upwards, that the path of a file and the name of a reference have in common.
        private func common(_ item: MusicItem, _ parts: [String]) -> Int {
            let path = item.assetURL?.pathComponents ?? []
            return zip(path.dropLast().reversed(), parts.dropLast().reversed()).prefix { $0 == $1 }.count
        }

        /// Returns the name of a file without its extension.
        private static func stem(_ name: String) -> String {
            (name.precomposedStringWithCanonicalMapping as NSString).deletingPathExtension
        }
    }
}
