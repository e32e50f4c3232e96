import EarshotCatalogs
package import EarshotCore
package import EarshotNodes
package import EarshotSharedCatalogs
import Testing

/// A rule that every store of files for shared catalogs keeps: the suite of each store runs all of them.
package struct IngestStoreRule: Sendable, CustomTestStringConvertible {
    private let name: String
    private let body: @Sendable (any IngestStore) async throws -> Void

    /// The rule in words.
    package var testDescription: String { name }

    init(name: String, _ body: @escaping @Sendable (any IngestStore) async throws -> Void) {
        (self.name, self.body) = (name, body)
    }

    /// Holds an empty store against the rule.
    package func check(_ store: any IngestStore) async throws {
        #expect(try await store.create("music", limits: .standard))
        try await body(store)
    }

    package static let a = NodeID(rawValue: "node-a")
    package static let b = NodeID(rawValue: "node-b")

    /// Files of names.
    package static func files(_ names: [ReferenceID]) -> [IngestFile] {
        names.map { IngestFile(id: $0, path: "/music/\($0)") }
    }

    private static func claim(
        _ count: Int,
        _ store: any IngestStore,
        _ node: NodeID = a,
        seconds: Double = 60
    ) async throws -> [ReferenceID] {
        try await store.claim(count, in: "music", for: node, seconds: seconds).map(\.id)
    }

    /// Commits references of files that a node holds.
    package static func commit(
        _ object: String,
        _ names: [ReferenceID],
        by node: NodeID,
        to store: any IngestStore
    ) async throws -> Int? {
        try await store.announce(object, in: "music")
        let change = SharedChange(addition: ManifestStoreRule.addition(object, names), holder: node)
        return try await store.commit(change, to: "music")
    }

    private static func progress(
        _ entered: Int,
        added: Int = 0,
        present: Int = 0,
        failed: Int = 0
    ) -> IngestProgress {
        var progress = IngestProgress()
        (progress.entered, progress.added, progress.present, progress.failed) = (entered, added, present, failed)
        return progress
    }

    private static let damaged = Job.Failure(code: "assetUnreadable", message: "It is damaged.\u{0}")

    /// All rules.
    package static let all = holding + ending + knowing
}

extension IngestStoreRule {
    private static let holding: [IngestStoreRule] = [
        .init(name: "files are taken in the order in which they were entered, as they were entered") { store in
            let item = try MediaItem(properties: [.title: "\u{0} '\"; -- 🦊", "year": 1999])
            let file = IngestFile(id: "z", path: "/music/z \\ \"ü\"", items: [item, try MediaItem(properties: [:])])
            try await store.enter([file] + files(["c", "a"]), in: "music")
            try await store.enter(files(["b"]), in: "music")
            #expect(try await store.progress(of: "music") == progress(4))
            #expect(try await store.claim(1, in: "music", for: a, seconds: 60) == [file])
            #expect(try await claim(2, store, b) == ["c", "a"])
            #expect(try await claim(5, store) == ["b"])
            #expect(try await claim(5, store) == [])
            #expect(try await store.progress(of: "music").left == 4)
            let error = await #expect(throws: EarshotError.self) { try await store.enter([], in: "other") }
            #expect(error?.code == .catalogAddressInvalid)
            #expect(try await store.progress(of: "other") == IngestProgress())
        },
        .init(name: "the same files entered again are entered once, with the path that was given last") { store in
            try await store.enter(files(["a", "b"]), in: "music")
            #expect(try await claim(1, store) == ["a"])
            let moved = ["a", "b", "c"].map { IngestFile(id: $0, path: "/elsewhere/\($0)") }
            try await store.enter(moved, in: "music")
            #expect(try await store.progress(of: "music") == progress(3))
            #expect(try await store.claim(5, in: "music", for: a, seconds: 60) == Array(moved.dropFirst()))
        },
        .init(name: "each file is taken once, however many nodes take files at once") { store in
            let names = (0..<40).map { ReferenceID("file-\($0)") }
            try await store.enter(files(names), in: "music")
            let taken = try await withThrowingTaskGroup(of: [ReferenceID].self) { group in
                for number in 0..<12 {
                    group.addTask { try await claim(5, store, NodeID(rawValue: "node-\(number)")) }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            #expect((taken + (try await claim(40, store))).sorted() == names.sorted())
        },
        .init(name: "a file whose lease has ended is taken by another node") { store in
            try await store.enter(files(["a", "b"]), in: "music")
            #expect(try await claim(2, store, seconds: 0.02).count == 2)
            var taken: [ReferenceID] = []
            while taken.isEmpty { taken = try await claim(1, store, b) }
            #expect(taken == ["a"])
            // Whoever held it has no say, and holds the other one still: nobody took it.
            #expect(try await store.prolong(in: "music", for: a, seconds: 60) == ["b"])
            try await store.fail("a", in: "music", for: a, damaged)
            #expect(try await commit("s1", ["a", "b"], by: a, to: store) == nil)
            #expect(try await store.manifest(of: "music")?.count == 0)
            #expect(try await claim(2, store) == [])
            #expect(try await commit("s2", ["b"], by: a, to: store) != nil)
            #expect(try await commit("s3", ["a"], by: b, to: store) != nil)
            #expect(try await store.progress(of: "music") == progress(2, added: 2))
        },
        .init(name: "files that are put back are free at once, those of others are not") { store in
            try await store.enter(files(["a", "b", "c"]), in: "music")
            _ = try await claim(2, store)
            _ = try await claim(1, store, b)
            try await store.release(in: "music", for: a)
            #expect(try await store.prolong(in: "music", for: a, seconds: 60).isEmpty)
            #expect(try await claim(3, store, b) == ["a", "b"])
        },
    ]

    private static let knowing: [IngestStoreRule] = [
        .init(name: "files whose names the catalog has are counted when they are entered") {
            (store: any IngestStore) async throws in
            #expect(try await ManifestStoreRule.add("s1", ["a", "b"], to: store) == 2)
            #expect(try await store.enter(files(["a", "b", "c"]), in: "music") == 2)
            #expect(try await store.progress(of: "music") == progress(1))
            #expect(try await claim(3, store) == ["c"])
            #expect(try await store.enter(files(["c", "d"]), in: "music") == 0)
        },
        .init(name: "of several files with one name the last one is entered, at the place of the first") {
            (store: any IngestStore) async throws in
            let again = IngestFile(id: "a", path: "/elsewhere/a")
            try await store.enter(files(["a", "b"]) + [again], in: "music")
            #expect(try await store.progress(of: "music") == progress(2))
            #expect(try await store.claim(3, in: "music", for: a, seconds: 60) == [again] + files(["b"]))
        },
        .init(name: "a failure is forgotten when the name comes into the catalog otherwise") {
            (store: any IngestStore) async throws in
            try await store.enter(files(["a", "b"]), in: "music")
            #expect(try await claim(1, store) == ["a"])
            try await store.fail("a", in: "music", for: a, damaged)
            #expect(try await ManifestStoreRule.add("s1", ["a"], to: store) == 2)
            #expect(try await store.failures(of: "music").isEmpty)
            #expect(try await store.progress(of: "music") == progress(2, present: 1))
            #expect(try await claim(2, store) == ["b"])
        },
        .init(name: "a failure is forgotten when the file is entered under another name") {
            (store: any IngestStore) async throws in
            try await store.enter(files(["a", "b", "c"]), in: "music")
            #expect(try await claim(2, store) == ["a", "b"])
            for id in ["a", "b"] as [ReferenceID] { try await store.fail(id, in: "music", for: a, damaged) }
            try await store.enter([IngestFile(id: "other", path: "/music/a")], in: "music")
            #expect(try await store.failures(of: "music").map(\.path) == ["/music/b"])
            #expect(try await store.progress(of: "music") == progress(3, failed: 1))
            #expect(try await claim(3, store) == ["c", "other"])
        },
    ]

    private static let ending: [IngestStoreRule] = [
        .init(name: "a commit ends its files, and a second one of them is refused") { store in
            try await store.enter(files(["a", "b", "c"]), in: "music")
            _ = try await claim(2, store)
            #expect(try await commit("s1", ["b", "a"], by: a, to: store) == 2)
            #expect(try await commit("s1", ["b", "a"], by: a, to: store) == nil)
            #expect(try await store.prolong(in: "music", for: a, seconds: 60).isEmpty)
            #expect(try await store.manifest(of: "music")?.segments.map(\.referenceCount) == [2])
            #expect(try await store.progress(of: "music") == progress(3, added: 2))
            // What nobody holds is not committed.
            #expect(try await commit("s2", ["c"], by: a, to: store) == nil)
            // What is in the catalog is not entered again.
            try await store.enter(files(["a", "b", "c"]), in: "music")
            #expect(try await store.progress(of: "music") == progress(3, added: 2))
            #expect(try await claim(3, store) == ["c"])
        },
        .init(name: "a file whose name comes into the catalog otherwise is ended") { store in
            try await store.enter(files(["a", "b"]), in: "music")
            _ = try await claim(2, store)
            #expect(try await ManifestStoreRule.add("s1", ["a"], to: store) == 2)
            #expect(try await commit("s2", ["a", "b"], by: a, to: store) == nil)
            #expect(try await store.prolong(in: "music", for: a, seconds: 60) == ["b"])
            #expect(try await commit("s2", ["b"], by: a, to: store) == 3)
            #expect(try await store.progress(of: "music") == progress(2, added: 1, present: 1))
        },
        .init(name: "a file that fails is kept with the reason, and tried again when it is entered again") { store in
            try await store.enter(files(["b", "a", "c"]), in: "music")
            _ = try await claim(2, store)
            for id in ["b", "a"] as [ReferenceID] { try await store.fail(id, in: "music", for: a, damaged) }
            try await store.fail("c", in: "music", for: a, damaged)
            #expect(try await store.progress(of: "music") == progress(3, failed: 2))
            let failed = [
                FailedFile(path: "/music/a", failure: damaged), FailedFile(path: "/music/b", failure: damaged),
            ]
            #expect(try await store.failures(of: "music") == failed)
            #expect(try await claim(3, store) == ["c"])
            #expect(try await commit("s1", ["c"], by: a, to: store) == 2)
            // Nothing is left: counting begins again, with what is still there.
            try await store.enter([IngestFile(id: "a", path: "/music/mended")] + files(["c", "d"]), in: "music")
            #expect(try await store.progress(of: "music") == progress(3, failed: 1))
            #expect(try await store.failures(of: "music").map(\.path) == ["/music/b"])
            #expect(
                try await store.claim(3, in: "music", for: a, seconds: 60).map(\.path) == ["/music/mended", "/music/d"]
            )
        },
        .init(name: "nodes that take, fail and commit at once end each file once") { store in
            let names = (0..<60).map { ReferenceID("file-\($0)") }
            try await store.enter(files(names), in: "music")
            let added = try await withThrowingTaskGroup(of: [ReferenceID].self) { group in
                for number in 0..<4 { group.addTask { try await work(store, NodeID(rawValue: "node-\(number)")) } }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            let failed = try await store.failures(of: "music").map(\.path)
            #expect((added.map { "/music/\($0)" } + failed).sorted() == names.map { "/music/\($0)" }.sorted())
            #expect(try await store.manifest(of: "music")?.count == added.count)
            #expect(try await store.progress(of: "music") == progress(60, added: added.count, failed: failed.count))
        },
    ]

    /// Takes files until there are none; the first of each few fails.
    ///
    /// - Returns: Those that became references.
    private static func work(_ store: any IngestStore, _ node: NodeID) async throws -> [ReferenceID] {
        var added: [ReferenceID] = []
        while true {
            let names = try await claim(4, store, node)
            guard let first = names.first else { return added }
            try await store.fail(first, in: "music", for: node, damaged)
            #expect(try await store.prolong(in: "music", for: node, seconds: 60) == Set(names.dropFirst()))
            guard names.count > 1 else { continue }
            let rest = Array(names.dropFirst())
            #expect(try await commit("\(node)-\(first)", rest, by: node, to: store) != nil)
            added += rest
        }
    }
}
