package import EarshotCatalogs
package import EarshotCore
package import EarshotNodes
import Foundation
import Synchronization

/// Manifests in memory, for tests and for a service that forgets.
package final class MemoryManifestStore: IngestStore {
    fileprivate struct Shelf {
        var manifest: SharedManifest
        var nextNumber = 1
        /// For each name, the number of its segment, its number in the segment, and the generation that added it.
        var places: [ReferenceID: (segment: Int, number: Int, generation: Int)] = [:]
        /// Segments that were merged into others, with the time of the merge in seconds of the clock.
        var dropped: [(segment: SharedSegment, time: Double)] = []
        /// Objects that were announced and not forgotten: they are in the bucket, or about to be.
        var objects: [String: Object] = [:]
        /// Files that are to become references.
        var files: [ReferenceID: EnteredFile] = [:]
        var nextFile = 0
        var progress = IngestProgress()
    }

    fileprivate struct EnteredFile {
        var file: IngestFile
        /// Its place in the order in which files were entered.
        var number: Int
        var holder: NodeID?
        /// The end of its lease, in seconds of the clock.
        var end = 0.0
        var failure: Job.Failure?
    }

    fileprivate struct Object {
        var time: Double
        var isBeingRemoved = false
    }

    private let shelves = Mutex<[String: Shelf]>([:])
    private let clock: MediaClock

    /// A store.
    package init(clock: MediaClock = .system) { self.clock = clock }

    package func create(_ catalog: String, limits: QueryLimits) async throws(EarshotError) -> Bool {
        shelves.withLock { shelves in
            guard shelves[catalog] == nil else { return false }
            shelves[catalog] = Shelf(
                manifest: SharedManifest(generation: 1, stamp: UUID().uuidString, limits: limits)
            )
            return true
        }
    }

    package func catalogs() async throws(EarshotError) -> [String] { shelves.withLock { $0.keys.sorted() } }

    package func stamp(of catalog: String) async throws(EarshotError) -> String? {
        shelves.withLock { $0[catalog]?.manifest.stamp }
    }

    package func manifest(of catalog: String) async throws(EarshotError) -> SharedManifest? {
        shelves.withLock { $0[catalog]?.manifest }
    }

    package func objects(holding names: [ReferenceID], in catalog: String) async throws(EarshotError) -> [String] {
        shelves.withLock { shelves in
            guard let shelf = shelves[catalog] else { return [] }
            let segments = Set(names.compactMap { shelf.places[$0]?.segment })
            return shelf.manifest.segments.filter { segments.contains($0.number) }.map(\.object)
        }
    }

    package func setCopies(_ copies: Int?, of catalog: String) async throws(EarshotError) {
        _ = try change(catalog) { shelf -> Int in
            shelf.manifest.copies = copies
            return shelf.finish()
        }
    }

    package func dropped(of catalog: String) async throws(EarshotError) -> [SharedSegment] {
        shelves.withLock { $0[catalog]?.dropped.map(\.segment) ?? [] }
    }

    // MARK: - Changes

    package func announce(_ object: String, in catalog: String) async throws(EarshotError) {
        let now = clock.now.seconds
        try change(catalog) { $0.objects[object] = Object(time: now) }
    }

    package func commit(_ change: SharedChange, to catalog: String) async throws(EarshotError) -> Int? {
        try self.change(catalog) { shelf -> Int? in
            let gone = Set(change.removed)
            guard change.removed.allSatisfy({ shelf.places[$0].map { $0.generation <= change.base } ?? false }),
                change.addition?.names.allSatisfy({ shelf.places[$0] == nil || gone.contains($0) }) ?? true,
                shelf.has(change.addition), shelf.isHeld(change)
            else { return nil }
            shelf.endFiles(of: change)
            for name in change.removed {
                guard let place = shelf.places.removeValue(forKey: name),
                    let index = shelf.manifest.segments.firstIndex(where: { $0.number == place.segment })
                else { continue }
                shelf.manifest.segments[index].removed.insert(place.number)
            }
            if let addition = change.addition {
                shelf.append(addition, position: shelf.nextNumber)
                for (number, name) in addition.names.enumerated() {
                    shelf.places[name] = (shelf.nextNumber - 1, number, shelf.manifest.generation + 1)
                }
            }
            return shelf.finish()
        }
    }

    package func commit(_ merge: SharedMerge, to catalog: String) async throws(EarshotError) -> Int? {
        let now = clock.now.seconds
        return try change(catalog) { shelf -> Int? in
            let numbers = Set(merge.sources.map(\.number))
            let sources = shelf.manifest.segments.filter { numbers.contains($0.number) }
            guard sources.count == numbers.count, shelf.has(merge.merged) else { return nil }
            let removed = Dictionary(uniqueKeysWithValues: sources.map { ($0.number, $0.removed) })
            shelf.manifest.segments.removeAll { numbers.contains($0.number) }
            shelf.dropped += sources.map { ($0, now) }
            if let merged = merge.merged {
                shelf.append(
                    merged,
                    position: sources.map(\.position).min() ?? 0,
                    removed: merge.carried(removed),
                    sources: merge.sources.map { SharedSegment.Source(object: $0.object, removed: $0.removed) }
                )
                for (number, name) in merged.names.enumerated() {
                    // A reference that was removed during the merge may have been added again, in another segment.
                    if let place = shelf.places[name], numbers.contains(place.segment) {
                        shelf.places[name] = (shelf.nextNumber - 1, number, place.generation)
                    }
                }
            }
            return shelf.finish()
        }
    }

    private func change<Value: Sendable>(
        _ catalog: String,
        _ body: (inout Shelf) -> Value
    ) throws(EarshotError) -> Value {
        let value = shelves.withLock { shelves in
            guard var shelf = shelves[catalog] else { return Value?.none }
            let value = body(&shelf)
            shelves[catalog] = shelf
            return value
        }
        guard let value else { throw SharedManifest.missing(catalog) }
        return value
    }

    // MARK: - Files

    @discardableResult
    package func enter(_ files: [IngestFile], in catalog: String) async throws(EarshotError) -> Int {
        let files = IngestFile.distinct(files)
        return try change(catalog) { shelf in
            let forgotten = shelf.forgetFailures(of: files)
            var (new, retried, present) = (0, 0, 0)
            for file in files {
                guard shelf.places[file.id] == nil else {
                    present += 1
                    continue
                }
                if let old = shelf.files[file.id] {
                    guard old.holder == nil else { continue }
                    if old.failure != nil { retried += 1 }
                    shelf.files[file.id] = EnteredFile(file: file, number: old.number)
                } else {
                    new += 1
                    shelf.files[file.id] = EnteredFile(file: file, number: shelf.nextFile)
                    shelf.nextFile += 1
                }
            }
            shelf.progress.enter(new: new, retried: retried, forgotten: forgotten)
            return present
        }
    }

    package func progress(of catalog: String) async throws(EarshotError) -> IngestProgress {
        shelves.withLock { $0[catalog]?.progress ?? IngestProgress() }
    }

    package func failures(of catalog: String) async throws(EarshotError) -> [FailedFile] {
        let files = shelves.withLock { $0[catalog]?.files.values.map { $0 } ?? [] }
        return files.compactMap { file in file.failure.map { FailedFile(path: file.file.path, failure: $0) } }
            .sorted { $0.path < $1.path }
    }

    package func claim(
        _ count: Int,
        in catalog: String,
        for node: NodeID,
        seconds: Double
    ) async throws(EarshotError) -> [IngestFile] {
        let now = clock.now.seconds
        return try change(catalog) { shelf in
            let free = shelf.files.values.filter { $0.failure == nil && ($0.holder == nil || $0.end <= now) }
                .sorted { $0.number < $1.number }.prefix(count)
            for entry in free {
                shelf.files[entry.file.id]?.holder = node
                shelf.files[entry.file.id]?.end = now + seconds
            }
            return free.map(\.file)
        }
    }

    package func prolong(
        in catalog: String,
        for node: NodeID,
        seconds: Double
    ) async throws(EarshotError) -> Set<ReferenceID> {
        let now = clock.now.seconds
        return try change(catalog) { shelf in
            var held: Set<ReferenceID> = []
            for id in shelf.files.values.filter({ $0.holder == node }).map(\.file.id) {
                if shelf.places[id] != nil {
                    shelf.files[id] = nil
                    shelf.progress.present += 1
                } else {
                    shelf.files[id]?.end = now + seconds
                    held.insert(id)
                }
            }
            return held
        }
    }

    package func fail(
        _ id: ReferenceID,
        in catalog: String,
        for node: NodeID,
        _ failure: Job.Failure
    ) async throws(EarshotError) {
        try change(catalog) { shelf in
            guard shelf.files[id]?.holder == node else { return }
            shelf.files[id]?.holder = nil
            shelf.files[id]?.failure = failure
            shelf.progress.failed += 1
        }
    }

    package func release(in catalog: String, for node: NodeID) async throws(EarshotError) {
        try change(catalog) { shelf in
            for (id, entry) in shelf.files where entry.holder == node { shelf.files[id]?.holder = nil }
        }
    }

    // MARK: - Garbage

    package func garbage(of catalog: String, after seconds: Double) async throws(EarshotError) -> [String] {
        let now = clock.now.seconds
        return try change(catalog) { shelf in
            shelf.dropped.removeAll { $0.time <= now - seconds }
            let needed = Set(shelf.manifest.segments.map(\.object)).union(shelf.dropped.map(\.segment.object))
            let unused = shelf.objects.filter { object in
                object.value.isBeingRemoved || object.value.time <= now - seconds && !needed.contains(object.key)
            }.keys
            for object in unused { shelf.objects[object]?.isBeingRemoved = true }
            return unused.sorted()
        }
    }

    package func unknown(_ objects: [String], to catalog: String) async throws(EarshotError) -> [String] {
        shelves.withLock { shelves in
            guard let shelf = shelves[catalog] else { return objects }
            let segments = shelf.manifest.segments + shelf.dropped.map(\.segment)
            let known = Set(segments.map(\.object)).union(shelf.objects.keys)
            return objects.filter { !known.contains($0) }
        }
    }

    package func forget(_ objects: [String], of catalog: String) async throws(EarshotError) {
        try change(catalog) { shelf in
            for object in objects where shelf.objects[object]?.isBeingRemoved == true { shelf.objects[object] = nil }
        }
    }
}

extension MemoryManifestStore.Shelf {
    /// Returns `true` if the object of a segment was announced and is not being removed, or if there is no segment.
    fileprivate func has(_ addition: SharedChange.Addition?) -> Bool {
        guard let addition else { return true }
        return objects[addition.object]?.isBeingRemoved == false
    }

    /// Returns `true` if the holder of a change holds the files of all added references, or if the change has no holder or adds none.
    fileprivate func isHeld(_ change: SharedChange) -> Bool {
        guard let holder = change.holder, let addition = change.addition else { return true }
        return addition.names.allSatisfy { files[$0]?.holder == holder }
    }

    /// Ends the files whose references a change adds. For a change without a holder, forgets failures of files with the added names.
    fileprivate mutating func endFiles(of change: SharedChange) {
        guard let addition = change.addition else { return }
        guard change.holder != nil else {
            for name in addition.names where files[name]?.failure != nil {
                files[name] = nil
                progress.failed -= 1
                progress.present += 1
            }
            return
        }
        for name in addition.names { files[name] = nil }
        progress.added += addition.names.count
    }

    /// Forgets failures of files that are entered again: of names that the catalog has by now, and of paths that get another name.
    ///
    /// - Returns: The number of failures.
    fileprivate mutating func forgetFailures(of entered: [IngestFile]) -> Int {
        let names = Set(entered.map(\.id))
        let paths = Set(entered.map(\.path))
        let forgotten = files.values.filter { entry in
            entry.failure != nil
                && (names.contains(entry.file.id) ? places[entry.file.id] != nil : paths.contains(entry.file.path))
        }
        for entry in forgotten { files[entry.file.id] = nil }
        return forgotten.count
    }

    /// Gives the manifest its next generation and a new stamp.
    ///
    /// - Returns: The generation.
    fileprivate mutating func finish() -> Int {
        manifest.generation += 1
        manifest.stamp = UUID().uuidString
        return manifest.generation
    }

    /// Inserts a segment by its position, with the next number.
    fileprivate mutating func append(
        _ addition: SharedChange.Addition,
        position: Int,
        removed: Set<Int> = [],
        sources: [SharedSegment.Source] = []
    ) {
        let segment = SharedSegment(
            number: nextNumber,
            object: addition.object,
            size: addition.size,
            referenceCount: addition.names.count,
            frameCount: addition.frameCount,
            postingCount: addition.postingCount,
            position: position,
            removed: removed,
            sources: sources
        )
        nextNumber += 1
        let place = manifest.segments.firstIndex { $0.position > position } ?? manifest.segments.endIndex
        manifest.segments.insert(segment, at: place)
    }
}
