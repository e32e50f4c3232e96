package import EarshotCore
import Synchronization

/// Keeps the publications of a service that is the only node, or of a test, in memory.
package final class MemoryPublicationStore: PublicationStore {
    private struct Key: Hashable {
        let kind: Publication.Kind
        let name: String
    }

    private struct State {
        var publications: [Key: [Publication]] = [:]
        /// The greatest version that each name ever had: removed names do not start again at 1.
        var versions: [Key: Int] = [:]
        /// The objects that are reserved or no longer offered, with the time since then, in seconds of the clock.
        var unneeded: [String: Double] = [:]
        /// The objects that ``garbage(after:)`` returned and that are not forgotten: they cannot be published any more.
        var removed: Set<String> = []
    }

    private let state = Mutex(State())
    private let clock: MediaClock

    /// A store.
    ///
    /// - Parameter clock: The clock by which the age of garbage is measured.
    package init(clock: MediaClock = .system) { self.clock = clock }

    package func newest(_ kind: Publication.Kind) async throws(EarshotError) -> [Publication] {
        state.withLock { state in
            state.publications.filter { $0.key.kind == kind }.compactMap(\.value.last).sorted { $0.name < $1.name }
        }
    }

    package func versions(of name: String, _ kind: Publication.Kind) async throws(EarshotError) -> [Publication] {
        state.withLock { $0.publications[Key(kind: kind, name: name)] ?? [] }
    }

    package func reserve(_ object: String) async throws(EarshotError) {
        let now = clock.now.seconds
        state.withLock { $0.unneeded[object] = now }
    }

    package func add(_ publication: Publication, above floor: Int) async throws(EarshotError) -> Publication {
        try state.withLock { state throws(EarshotError) in
            let key = Key(kind: publication.kind, name: publication.name)
            try Self.take(publication, &state)
            var publication = publication
            publication.version = max(state.versions[key] ?? 0, floor) + 1
            state.versions[key] = publication.version
            state.publications[key, default: []].append(publication)
            return publication
        }
    }

    package func replace(with publication: Publication) async throws(EarshotError) -> Publication {
        let now = clock.now.seconds
        return try state.withLock { state throws(EarshotError) in
            let key = Key(kind: publication.kind, name: publication.name)
            let present = state.publications[key] ?? []
            if let last = present.last, last.version >= publication.version { return last }
            try Self.take(publication, &state)
            for old in present { state.unneeded[old.object] = now }
            state.publications[key] = [publication]
            return publication
        }
    }

    package func remove(_ name: String, _ kind: Publication.Kind) async throws(EarshotError) -> Bool {
        let now = clock.now.seconds
        return state.withLock { state in
            guard let old = state.publications.removeValue(forKey: Key(kind: kind, name: name)) else { return false }
            for publication in old { state.unneeded[publication.object] = now }
            return true
        }
    }

    /// Ends the reservation of a publication's object, which is needed from now on.
    ///
    /// - Throws: `storeUnavailable` if the object is not reserved any more.
    private static func take(_ publication: Publication, _ state: inout State) throws(EarshotError) {
        guard !state.removed.contains(publication.object),
            state.unneeded.removeValue(forKey: publication.object) != nil
        else { throw expired(publication) }
    }

    package func garbage(after seconds: Double) async throws(EarshotError) -> [String] {
        let now = clock.now.seconds
        return state.withLock { state in
            let objects = state.unneeded.filter { $0.value + seconds <= now }.keys.sorted()
            state.removed.formUnion(objects)
            return objects
        }
    }

    package func forget(_ objects: [String]) async throws(EarshotError) {
        state.withLock { state in
            for object in objects {
                state.unneeded[object] = nil
                state.removed.remove(object)
            }
        }
    }
}
