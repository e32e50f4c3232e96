import EarshotCatalogs
package import EarshotCore
package import EarshotSharedCatalogs
import Testing

/// A rule that every store of manifests keeps: the suite of each store runs all of them.
package struct ManifestStoreRule: Sendable, CustomTestStringConvertible {
    private let name: String
    private let body: @Sendable (any ManifestStore) async throws -> Void

    /// The rule in words.
    package var testDescription: String { name }

    init(name: String, _ body: @escaping @Sendable (any ManifestStore) async throws -> Void) {
        (self.name, self.body) = (name, body)
    }

    /// Holds an empty store against the rule.
    package func check(_ store: any ManifestStore) async throws { try await body(store) }

    /// An addition of references.
    package static func addition(_ object: String, _ names: [ReferenceID]) -> SharedChange.Addition {
        SharedChange.Addition(object: object, size: 100, frameCount: 70, postingCount: 30, names: names)
    }

    private static func made(_ store: any ManifestStore) async throws {
        #expect(try await store.create("music", limits: .standard))
    }

    /// Adds references as a node does: the object is announced first.
    package static func add(
        _ object: String,
        _ names: [ReferenceID],
        removing removed: [ReferenceID] = [],
        base: Int = .max,
        to store: any ManifestStore
    ) async throws -> Int? {
        try await store.announce(object, in: "music")
        let change = SharedChange(removed: removed, addition: addition(object, names), base: base)
        return try await store.commit(change, to: "music")
    }

    private static func add(_ object: String, _ names: [ReferenceID], _ store: any ManifestStore) async throws -> Int? {
        try await add(object, names, to: store)
    }

    /// All rules.
    package static let all: [ManifestStoreRule] = [
        .init(name: "each node holds all, until a number of copies is set") { store in
            try await made(store)
            let before = try #require(try await store.manifest(of: "music"))
            #expect(before.copies == nil)
            try await store.setCopies(2, of: "music")
            let after = try #require(try await store.manifest(of: "music"))
            #expect(after.copies == 2 && after.generation > before.generation && after.stamp != before.stamp)
            try await store.setCopies(nil, of: "music")
            #expect(try await store.manifest(of: "music")?.copies == nil)
            let error = await #expect(throws: EarshotError.self) { try await store.setCopies(2, of: "nothing") }
            #expect(error?.code == .catalogAddressInvalid)
        },
        .init(name: "the segment of a name is told, and none for a name that is gone") { store in
            try await made(store)
            _ = try await add("one", ["a", "b"], store)
            _ = try await add("two", ["c"], store)
            #expect(try await store.objects(holding: ["c"], in: "music") == ["two"])
            #expect(try await store.objects(holding: ["b", "a", "c", "d"], in: "music") == ["one", "two"])
            _ = try await store.commit(SharedChange(removed: ["b"], base: .max), to: "music")
            #expect(try await store.objects(holding: ["b"], in: "music").isEmpty)
            #expect(try await store.objects(holding: [], in: "music").isEmpty)
            #expect(try await store.objects(holding: ["a"], in: "other").isEmpty)
        },
        .init(name: "a catalog is made once") { store in
            #expect(try await store.catalogs().isEmpty)
            #expect(try await store.manifest(of: "music") == nil)
            #expect(try await store.stamp(of: "music") == nil)
            try await made(store)
            #expect(try await !store.create("music", limits: .standard))
            #expect(try await store.create("Jingles", limits: QueryLimits(minimum: .zero, maximum: .zero)))
            #expect(try await store.catalogs() == ["Jingles", "music"])
            let made = try #require(try await store.manifest(of: "music"))
            #expect(made == SharedManifest(generation: 1, stamp: made.stamp, limits: .standard))
            #expect(
                try await store.manifest(of: "Jingles")?.limits == QueryLimits(minimum: .zero, maximum: .zero)
            )
            let error = await #expect(throws: EarshotError.self) {
                try await store.commit(SharedChange(removed: ["a"]), to: "other")
            }
            #expect(error?.code == .catalogAddressInvalid)
        },
        .init(name: "segments come in the order in which they were added, removed references with them") { store in
            try await made(store)
            #expect(try await add("s1", ["a", "b", "c"], store) == 2)
            #expect(try await add("s2", ["d"], store) == 3)
            #expect(try await store.commit(SharedChange(removed: ["c", "a"]), to: "music") == 4)
            let manifest = try #require(try await store.manifest(of: "music"))
            #expect(manifest.generation == 4)
            #expect(try await store.stamp(of: "music") == manifest.stamp)
            #expect(manifest.segments.map(\.object) == ["s1", "s2"])
            #expect(manifest.segments.map(\.removed) == [[0, 2], []])
            #expect(manifest.segments.map(\.referenceCount) == [3, 1])
            #expect(manifest.segments[0].size == 100 && manifest.segments[0].frameCount == 70)
            #expect(manifest.segments[0].postingCount == 30)
            #expect(manifest.count == 2)
        },
        .init(name: "a name that is taken, or is not there, changes nothing") { store in
            try await made(store)
            #expect(try await add("s1", ["a", "b"], store) == 2)
            let before = try await store.manifest(of: "music")
            #expect(try await add("s2", ["c", "b"], store) == nil)
            #expect(try await store.commit(SharedChange(removed: ["a", "x"]), to: "music") == nil)
            #expect(
                try await store.commit(SharedChange(removed: ["x"], addition: addition("s3", ["d"])), to: "music")
                    == nil
            )
            #expect(try await store.manifest(of: "music") == before)
            // Of one that is replaced the name goes and comes.
            #expect(
                try await add("s4", ["b"], removing: ["b"], to: store) == 3
            )
            #expect(try await store.manifest(of: "music")?.segments.map(\.removed) == [[1], []])
        },
        .init(name: "a reference that came after what was looked at is not removed by it") { store in
            try await made(store)
            let first = try #require(try await add("s1", ["a", "b"], store))
            let second = try #require(try await add("s2", ["a"], removing: ["a"], base: first, to: store))
            let before = try await store.manifest(of: "music")
            // Another node has not seen the second form of it.
            #expect(try await add("s3", ["a"], removing: ["a"], base: first, to: store) == nil)
            #expect(try await store.commit(SharedChange(removed: ["b", "a"], base: first), to: "music") == nil)
            #expect(try await store.manifest(of: "music") == before)
            #expect(try await store.commit(SharedChange(removed: ["b"], base: first), to: "music") == 4)
            // A merge makes no reference younger.
            let segments = try #require(try await store.manifest(of: "music")).segments
            try await store.announce("m", in: "music")
            let merge = SharedMerge(sources: segments.map(SharedMerge.Source.init), merged: addition("m", ["a"]))
            #expect(try await store.commit(merge, to: "music") == 5)
            #expect(try await store.commit(SharedChange(removed: ["a"], base: second), to: "music") == 6)
        },
        .init(name: "an object that was not announced, or is being removed, is in no segment") { store in
            try await made(store)
            let change = SharedChange(addition: addition("s1", ["a"]))
            #expect(try await store.commit(change, to: "music") == nil)
            try await store.announce("s1", in: "music")
            #expect(try await store.garbage(of: "music", after: 0) == ["s1"])
            #expect(try await store.commit(change, to: "music") == nil)
            #expect(try await store.manifest(of: "music")?.count == 0)
        },
        .init(name: "a merge takes the place of its sources, and what was removed meanwhile stays removed") { store in
            try await made(store)
            _ = try await add("s0", ["z"], store)
            _ = try await add("s1", ["a", "b", "c"], store)
            _ = try await add("s2", ["d", "e"], store)
            _ = try await add("s3", ["f"], store)
            _ = try await store.commit(SharedChange(removed: ["b"]), to: "music")
            let planned = try #require(try await store.manifest(of: "music")).segments
            // While a, c, d, e are copied, c goes and comes again elsewhere, and e goes.
            _ = try await add("s4", ["c"], removing: ["c"], to: store)
            try await store.announce("m", in: "music")
            _ = try await store.commit(SharedChange(removed: ["e"]), to: "music")
            let merge = SharedMerge(
                sources: planned[1...2].map(SharedMerge.Source.init),
                merged: addition("m", ["a", "c", "d", "e"])
            )
            #expect(try await store.commit(merge, to: "music") == 9)
            let after = try #require(try await store.manifest(of: "music"))
            #expect(after.segments.map(\.object) == ["s0", "m", "s3", "s4"])
            #expect(after.segments.map(\.removed) == [[], [1, 3], [], []])
            #expect(
                after.segments[1].sources == [
                    SharedSegment.Source(object: "s1", removed: [1]), SharedSegment.Source(object: "s2", removed: []),
                ]
            )
            #expect(try await store.dropped(of: "music").map(\.object) == ["s1", "s2"])
            // The same merge once more loses.
            #expect(try await store.commit(merge, to: "music") == nil)
            // Names lead to where they are now.
            #expect(try await store.commit(SharedChange(removed: ["c", "d", "f"]), to: "music") == 10)
            #expect(try await store.manifest(of: "music")?.segments.map(\.removed) == [[], [1, 2, 3], [0], [0]])
            #expect(try await store.commit(SharedChange(removed: ["e"]), to: "music") == nil)
        },
        .init(name: "a merge of which nothing is left takes its sources away") { store in
            try await made(store)
            _ = try await add("s1", ["a"], store)
            _ = try await add("s2", ["b"], store)
            _ = try await store.commit(SharedChange(removed: ["a"]), to: "music")
            let segments = try #require(try await store.manifest(of: "music")).segments
            let merge = SharedMerge(sources: [SharedMerge.Source(segments[0])], merged: nil)
            #expect(try await store.commit(merge, to: "music") == 5)
            #expect(try await store.manifest(of: "music")?.segments.map(\.object) == ["s2"])
        },
        .init(name: "objects are garbage when nothing needs them") { store in
            try await made(store)
            for object in ["m", "lost"] { try await store.announce(object, in: "music") }
            _ = try await add("s1", ["a"], store)
            _ = try await add("s2", ["b"], store)
            #expect(try await store.garbage(of: "music", after: 3_600).isEmpty)
            let segments = try #require(try await store.manifest(of: "music")).segments
            let merge = SharedMerge(sources: segments.map(SharedMerge.Source.init), merged: addition("m", ["a", "b"]))
            #expect(try await store.commit(merge, to: "music") != nil)
            #expect(try await store.garbage(of: "music", after: 3_600).isEmpty)
            #expect(try await store.garbage(of: "music", after: 0) == ["lost", "s1", "s2"])
            try await store.forget(["s1", "m"], of: "music")
            #expect(try await store.garbage(of: "music", after: 3_600) == ["lost", "s2"])
            #expect(try await store.manifest(of: "music")?.segments.map(\.object) == ["m"])
        },
        .init(name: "objects that were announced, or are of a segment, are known") { store in
            try await made(store)
            _ = try await add("s1", ["a"], store)
            _ = try await add("s2", ["b"], store)
            try await store.announce("coming", in: "music")
            let segments = try #require(try await store.manifest(of: "music")).segments
            let merge = SharedMerge(sources: segments.map(SharedMerge.Source.init), merged: nil)
            #expect(try await store.commit(merge, to: "music") != nil)
            let listed = ["orphan", "s1", "coming", "s2", "Orphan"]
            #expect(try await store.unknown(listed, to: "music") == ["orphan", "Orphan"])
            #expect(try await store.unknown([], to: "music").isEmpty)
            #expect(try await store.garbage(of: "music", after: 0) == ["coming", "s1", "s2"])
            // They are on their way out, and known until they are gone.
            #expect(try await store.unknown(listed, to: "music") == ["orphan", "Orphan"])
            try await store.forget(["coming", "s1"], of: "music")
            #expect(try await store.unknown(listed, to: "music") == ["orphan", "s1", "coming", "Orphan"])
        },
        .init(name: "of changes that add the same name at once one is made") { store in
            try await made(store)
            let made = try await withThrowingTaskGroup(of: Int?.self) { group in
                for number in 0..<12 {
                    group.addTask {
                        try await add("s\(number)", ["same", ReferenceID("own-\(number)")], store)
                    }
                }
                return try await group.reduce(into: [Int]()) { if let generation = $1 { $0.append(generation) } }
            }
            #expect(made == [2])
            #expect(try await store.manifest(of: "music")?.count == 2)
        },
    ]
}
