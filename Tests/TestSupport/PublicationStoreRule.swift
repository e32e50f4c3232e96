package import EarshotNodes
import EarshotCore
import Foundation
import Testing

/// A rule that every store of publications keeps: the suite of each store runs all of them.
package struct PublicationStoreRule: Sendable, CustomTestStringConvertible {
    let name: String
    let body: @Sendable (any PublicationStore) async throws -> Void

    init(_ name: String, _ body: @escaping @Sendable (any PublicationStore) async throws -> Void) {
        (self.name, self.body) = (name, body)
    }

    /// The rule in words.
    package var testDescription: String { name }

    /// Holds an empty store against the rule.
    package func check(_ store: any PublicationStore) async throws { try await body(store) }

    /// A publication whose object is reserved.
    private static func reserved(
        _ kind: Publication.Kind,
        _ name: String,
        version: Int = 0,
        in store: any PublicationStore
    ) async throws -> Publication {
        let publication = Publication(
            kind,
            name: name,
            version: version,
            size: 7,
            references: 3,
            sha256: "ab",
            date: HistorySamples.evening
        )
        try await store.reserve(publication.object)
        return publication
    }

    /// All rules.
    package static let all: [PublicationStoreRule] = [
        .init("What was never used is empty") { (store: any PublicationStore) async throws in
            #expect(try await store.newest(.bundle).isEmpty)
            #expect(try await store.versions(of: "a\0", .catalog).isEmpty)
            #expect(try await !store.remove("a", .bundle))
            #expect(try await store.garbage(after: 0).isEmpty)
        },
        .init("Versions are counted for each name, and come out as they were put in") {
            (store: any PublicationStore) async throws in
            var made: [Publication] = []
            for name in ["radio", "radio", "tele", "radio"] {
                made.append(try await store.add(try await reserved(.catalog, name, in: store), above: 0))
            }
            #expect(made.map(\.version) == [1, 2, 1, 3])
            #expect(try await store.versions(of: "radio", .catalog) == [made[0], made[1], made[3]])
            #expect(try await store.newest(.catalog) == [made[3], made[2]])
            #expect(try await store.newest(.bundle).isEmpty)
            #expect(made[0].date == HistorySamples.evening && made[0].references == 3 && made[0].size == 7)
            #expect(try await store.garbage(after: 0).isEmpty)
        },
        .init("A version is above the floor, and the next one above it") { (store: any PublicationStore) async throws in
            #expect(try await store.add(try await reserved(.catalog, "a", in: store), above: 5).version == 6)
            #expect(try await store.add(try await reserved(.catalog, "a", in: store), above: 2).version == 7)
            #expect(try await store.add(try await reserved(.catalog, "a", in: store), above: 9).version == 10)
        },
        .init("Those who publish at the same moment have versions of their own") {
            (store: any PublicationStore) async throws in
            let versions = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        try await store.add(try await reserved(.catalog, "a", in: store), above: 0).version
                    }
                }
                var versions: [Int] = []
                for try await version in group { versions.append(version) }
                return versions.sorted()
            }
            #expect(versions == Array(1...8))
            #expect(try await store.versions(of: "a", .catalog).map(\.version) == Array(1...8))
        },
        .init("A later version takes the place of an earlier one, whose object is garbage") {
            (store: any PublicationStore) async throws in
            let first = try await reserved(.bundle, "ads", version: 3, in: store)
            #expect(try await store.replace(with: first) == first)
            let second = try await reserved(.bundle, "ads", version: 12, in: store)
            #expect(try await store.replace(with: second) == second)
            #expect(try await store.versions(of: "ads", .bundle) == [second])
            #expect(try await store.garbage(after: 60).isEmpty)
            #expect(try await store.garbage(after: 0) == [first.object])
            try await store.forget([first.object])
            #expect(try await store.garbage(after: 0).isEmpty)
        },
        .init("A version that is not later changes nothing, and tells what is there") {
            (store: any PublicationStore) async throws in
            let first = try await store.replace(with: try await reserved(.bundle, "ads", version: 3, in: store))
            for version in 2...3 {
                let other = try await reserved(.bundle, "ads", version: version, in: store)
                #expect(try await store.replace(with: other) == first)
            }
            #expect(try await store.newest(.bundle) == [first])
            // What was reserved in vain.
            #expect(try await store.garbage(after: 0).count == 2)
        },
        .init("Of those who publish at the same moment the latest version stays") {
            (store: any PublicationStore) async throws in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for version in 1...8 {
                    group.addTask {
                        _ = try await store.replace(
                            with: try await reserved(.bundle, "ads", version: version, in: store)
                        )
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await store.versions(of: "ads", .bundle).map(\.version) == [8])
            #expect(try await store.garbage(after: 0).count == 7)
        },
        .init("What is removed is offered no more, and its objects are garbage") {
            (store: any PublicationStore) async throws in
            let made = try await store.add(try await reserved(.catalog, "a", in: store), above: 0)
            let other = try await store.add(try await reserved(.catalog, "b", in: store), above: 0)
            #expect(try await store.remove("a", .catalog))
            #expect(try await !store.remove("a", .catalog))
            #expect(try await store.newest(.catalog) == [other])
            #expect(try await store.garbage(after: 0) == [made.object])
            // Nobody who has the first version takes another for it.
            #expect(try await store.add(try await reserved(.catalog, "a", in: store), above: 0).version == 2)
        },
        .init("What is being removed is not published any more") { (store: any PublicationStore) async throws in
            let late = try await reserved(.catalog, "a", in: store)
            #expect(try await store.garbage(after: 0) == [late.object])
            await #expect(throws: EarshotError.self) { _ = try await store.add(late, above: 0) }
            try await store.forget([late.object])
            await #expect(throws: EarshotError.self) { _ = try await store.add(late, above: 0) }
            var bundle = late
            bundle.kind = .bundle
            bundle.version = 1
            let failed = bundle
            await #expect(throws: EarshotError.self) { _ = try await store.replace(with: failed) }
            #expect(try await store.newest(.catalog).isEmpty)
            #expect(try await store.newest(.bundle).isEmpty)
        },
    ]
}
