import EarshotCore
import EarshotSegments
import EarshotSignatures
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import EarshotCatalogs

@Suite("Stores")
struct CatalogStoreTests {
    /// So small that a few references are merged again and again.
    static let policy = MergePolicy(fanIn: 3, smallest: 1 << 12, sealed: 1 << 15)

    static func open(_ url: URL) throws -> CatalogStore {
        try CatalogStore(url, waiting: false, disk: LocalDisk(), policy: policy)
    }

    private static func files(_ url: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
    }

    @Test("What is added is found, by whoever opens the store", .requirements("R-CC-029"))
    func life() throws {
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("s.earstore")
            let limits = QueryLimits(minimum: MediaTime(seconds: 2), maximum: MediaTime(seconds: 20))
            let store = try CatalogStore.create(at: url, queryLimits: limits)
            #expect(store.catalog.isEmpty)
            #expect(code { _ = try CatalogStore.create(at: url) } == .destinationExists)
            let song = Songs.drawn(1)
            let item = try MediaItem(properties: [.title: "One"])
            try store.add([Catalog.Addition(id: "one", signature: song, items: [item])])
            let early = try Catalog(contentsOf: url)
            #expect(early.queryLimits == limits)
            try store.add(
                (2...5).map { Catalog.Addition(id: ReferenceID("r\($0)"), signature: Songs.drawn($0), items: []) }
            )
            let query = Songs.part(of: song, from: 3, seconds: 5)
            for catalog in [store.catalog, early, try Catalog(contentsOf: url)] {
                #expect(try catalog.match(query)?.mediaItems.first?.title == "One")
            }
            try store.remove(["one", "r3"])
            try store.replace("r2", with: Songs.drawn(9), representing: [item])
            #expect(try store.catalog.match(query) == nil)
            #expect(store.catalog.referenceIDs == ["r4", "r5", "r2"])
            #expect(try Catalog(contentsOf: url).reference("r2")?.items == [item])
            #expect(code { try store.remove(["r4", "one"]) } == .referenceNotFound)
            #expect(store.catalog.count == 3)
            // Who opened the store before still has what was there, whatever became of the files.
            try store.compact()
            #expect(store.segmentCount == 1)
            #expect(early.referenceIDs == ["one"])
            #expect(try early.match(query)?.references.first?.id == "one")
            try early.verify()
            try store.verify()
        }
    }

    @Test("After any changes it holds what a catalog in memory holds, in the same order")
    func model() throws {
        try withTemporaryFolder { folder in
            var round = 0
            property("store against a catalog in memory", rounds: 6) { generator in
                round += 1
                let url = folder.appendingPathComponent("\(round).earstore")
                var expected = Catalog()
                _ = try CatalogStore.create(at: url)
                var held: CatalogStore? = try Self.open(url)
                for step in 0..<20 {
                    if Int.random(in: 0..<8, using: &generator) == 0 {
                        // Closed first: the lock is held until then.
                        held = nil
                        held = try Self.open(url)
                    }
                    guard let store = held else { return false }
                    let generation = store.generation
                    switch Int.random(in: 0..<7, using: &generator) {
                    case 0: try store.compact()
                    case 2, 3:
                        let ids = expected.referenceIDs.shuffled(using: &generator).prefix(
                            Int.random(in: 0...3, using: &generator)
                        )
                        try store.remove(Array(ids))
                        for id in ids { try expected.remove(id) }
                    case 4:
                        guard let id = expected.referenceIDs.randomElement(using: &generator) else { continue }
                        let signature = Songs.drawn(generator.next(), seconds: 1)
                        try store.replace(id, with: signature, representing: [])
                        try expected.replace(id, with: signature, representing: [])
                    default:
                        let additions = (0..<Int.random(in: 0...3, using: &generator)).map {
                            Catalog.Addition(
                                id: ReferenceID("\(step) \($0)"),
                                signature: Songs.drawn(
                                    generator.next(),
                                    seconds: Int.random(in: 1...4, using: &generator)
                                ),
                                items: []
                            )
                        }
                        try store.add(additions)
                        for addition in additions {
                            try expected.add(addition.signature, representing: [], id: addition.id)
                        }
                    }
                    guard store.generation >= generation, store.catalog.referenceIDs == expected.referenceIDs else {
                        return false
                    }
                }
                let named = Set(try Self.files(url)).subtracting(["manifest", "lock"])
                guard named.count == held?.segmentCount else { return false }
                try held?.verify()
                return try Catalog(contentsOf: url).data() == expected.data()
            }
        }
    }

    @Test("A change that fails leaves nothing, and one without effect writes nothing")
    func failingChange() throws {
        struct Refusal: Error {}
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("s.earstore")
            let store = try CatalogStore.create(at: url)
            try store.add([Catalog.Addition(id: "a", signature: Songs.drawn(1, seconds: 2), items: [])])
            let before = try Self.files(url)
            let generation = store.generation
            #expect(throws: Refusal.self) {
                try store.change { catalog in
                    try catalog.add(Songs.drawn(2, seconds: 2), representing: [])
                    throw Refusal()
                }
            }
            try store.change { catalog in
                try catalog.add(Songs.drawn(2, seconds: 2), representing: [], id: "b")
                try catalog.remove("b")
            }
            #expect(try Self.files(url) == before)
            #expect(store.generation == generation)
            #expect(store.catalog.referenceIDs == ["a"])
            // What is searched in between, and so laid out, is written all the same.
            try store.change { catalog in
                for number in 2...6 {
                    try catalog.add(
                        Songs.drawn(UInt64(number), seconds: 3),
                        representing: [],
                        id: ReferenceID("\(number)")
                    )
                    _ = try catalog.match(Songs.drawn(UInt64(number), seconds: 3))
                }
            }
            #expect(try Catalog(contentsOf: url).referenceIDs == ["a", "2", "3", "4", "5", "6"])
            try store.verify()
        }
    }

    @Test("There is one writer, and readers do not wait for it")
    func lock() throws {
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("s.earstore")
            let store = try CatalogStore.create(at: url)
            let refused = #expect(throws: EarshotError.self) { try CatalogStore(url, waiting: false) }
            #expect(refused?.code == .writeFailed)
            #expect(try Catalog(contentsOf: url).isEmpty)
            try CatalogStore.verify(url)
            #expect(store.catalog.isEmpty)
        }
    }

    /// Tells readers that the writer is done.
    private final class Ending: Sendable {
        let isReached = Mutex(false)
    }

    @Test("Who opens it while it changes always finds a whole state, never an older one than before")
    func readersMeanwhile() async throws {
        try await withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("s.earstore")
            _ = try CatalogStore.create(at: url)
            let store = try Self.open(url)
            let expected = (0..<24).map { ReferenceID("r\($0)") }
            let ending = Ending()
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    defer { ending.isReached.withLock { $0 = true } }
                    for (number, id) in expected.enumerated() {
                        let signature = Songs.drawn(UInt64(number), seconds: 1)
                        try store.add([Catalog.Addition(id: id, signature: signature, items: [])])
                        if number % 6 == 5 { try store.compact() }
                    }
                }
                group.addTask {
                    var seen = 0
                    var isLast = false
                    while !isLast {
                        // Asked first: what is opened after the end is the last state.
                        isLast = ending.isReached.withLock { $0 }
                        let catalog = try Catalog(contentsOf: url)
                        try catalog.verify()
                        #expect(catalog.referenceIDs == Array(expected.prefix(catalog.count)))
                        #expect(catalog.count >= seen)
                        seen = catalog.count
                    }
                    #expect(seen == expected.count)
                }
                try await group.waitForAll()
            }
        }
    }

    @Test("Opened for changes it takes away what interrupted ones left, and nothing else")
    func garbage() throws {
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("s.earstore")
            try CatalogStore.create(at: url).add([
                Catalog.Addition(id: "a", signature: Songs.drawn(1, seconds: 2), items: [])
            ])
            let before = try Self.files(url)
            for name in ["segment-000000000099.earcat", ".earshot-1.partial", "notes.txt"] {
                try Data("x".utf8).write(to: url.appendingPathComponent(name))
            }
            #expect(try Catalog(contentsOf: url).count == 1)
            #expect(try Self.open(url).catalog.count == 1)
            #expect(try Self.files(url) == (before + ["notes.txt"]).sorted())
        }
    }

    @Test("A damaged store is refused by the name of the file", .requirements("R-CC-037"))
    func damage() throws {
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("s.earstore")
            let store = try CatalogStore.create(at: url)
            try store.add([Catalog.Addition(id: "a", signature: Songs.drawn(1, seconds: 2), items: [])])
            try store.add([Catalog.Addition(id: "b", signature: Songs.drawn(2, seconds: 3), items: [])])
            let names = try Self.files(url).filter { $0.hasPrefix("segment") }
            #expect(names.count == 2)
            func check(_ name: String, _ damage: (URL) throws -> Void, verify: Bool = false) throws {
                let file = url.appendingPathComponent(name)
                let good = try Data(contentsOf: file)
                defer { try? good.write(to: file) }
                try damage(file)
                let failure = #expect(throws: EarshotError.self) {
                    if verify { try CatalogStore.verify(url) } else { _ = try Catalog(contentsOf: url) }
                }
                #expect(failure?.code == .catalogInvalid)
                #expect(failure?.message.contains(name) == true)
            }
            for name in names + ["manifest"] {
                try check(name) { try FileManager.default.removeItem(at: $0) }
                try check(name) { try Data().write(to: $0) }
                try check(name) { try Data(contentsOf: $0).dropLast(7).write(to: $0) }
                try check(name) { try Data(contentsOf: $0).reversed().withUnsafeBytes { Data($0) }.write(to: $0) }
            }
            try check(names[0]) { try Data(contentsOf: url.appendingPathComponent(names[1])).write(to: $0) }
            for name in names {
                let size = try Data(contentsOf: url.appendingPathComponent(name)).count
                property("store, a changed byte", rounds: 8) { generator in
                    let place = Int.random(in: 300..<size, using: &generator)
                    try check(
                        name,
                        { file in
                            var bytes = try Data(contentsOf: file)
                            bytes[place] ^= 0x41
                            try bytes.write(to: file)
                        },
                        verify: true
                    )
                    return true
                }
            }
            try CatalogStore.verify(url)
            #expect(
                code { _ = try Catalog(contentsOf: folder.appendingPathComponent("no.earstore")) }
                    == .catalogAddressInvalid
            )
            #expect(code { _ = try CatalogStore(folder) } == .catalogAddressInvalid)
            #expect(code { try Catalog().write(to: url, replacing: true) } == .destinationExists)
        }
    }
}
