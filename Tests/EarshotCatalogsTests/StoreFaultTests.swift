import EarshotCore
import EarshotSegments
import EarshotSignatures
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import EarshotCatalogs

@Suite("Stores on a disk that fails")
struct StoreFaultTests {
    /// How the one step that fails does so.
    private enum Fault: CaseIterable {
        /// Nothing is written.
        case refused
        /// A hidden file with a part of the bytes stays behind, as when the power fails.
        case torn
        /// The file is there, but the program does not learn of it any more.
        case unanswered
    }

    /// A disk that fails at one step; from then on, if it is dead, at all.
    private final class FaultyDisk: StoreDisk {
        private let steps = Mutex(0)
        private let failing: Int
        private let fault: Fault
        private let diesThen: Bool

        init(failing: Int, fault: Fault, diesThen: Bool) {
            self.failing = failing
            self.fault = fault
            self.diesThen = diesThen
        }

        var count: Int { steps.withLock { $0 } }

        private func step() -> Int {
            steps.withLock { steps in
                steps += 1
                return steps
            }
        }

        func put(_ url: URL, _ write: (URL) throws(EarshotError) -> Void) throws(EarshotError) {
            let step = step()
            if step < failing || step > failing && !diesThen { return try write(url) }
            let failure = EarshotError(.writeFailed, "The disk has failed.")
            guard step == failing else { throw failure }
            switch fault {
            case .refused: break
            case .unanswered: try write(url)
            case .torn:
                try write(url.appendingPathExtension("whole"))
                if let whole = try? Data(contentsOf: url.appendingPathExtension("whole")) {
                    try? FileManager.default.removeItem(at: url.appendingPathExtension("whole"))
                    let partial = url.deletingLastPathComponent().appendingPathComponent(".earshot-torn.partial")
                    try? whole.prefix(whole.count / 2).write(to: partial)
                }
            }
            throw failure
        }

        func remove(_ url: URL) {
            let step = step()
            guard step < failing || step > failing && !diesThen else { return }
            unlink(url.path)
        }
    }

    /// A store of a few segments with something removed.
    private func made(at url: URL) throws {
        let store = try CatalogStore.create(at: url)
        for number in 1...4 {
            try store.add([
                Catalog.Addition(
                    id: ReferenceID("\(number)"),
                    signature: Songs.drawn(UInt64(number), seconds: 1),
                    items: []
                )
            ])
        }
        try store.remove(["2"])
    }

    @Test("At whatever step it fails, the store holds what it held before or what it should hold then")
    func everyStep() throws {
        let changes: [(String, (CatalogStore) throws -> Void)] = [
            (
                "add",
                {
                    try $0.add(
                        (5...6).map {
                            Catalog.Addition(
                                id: ReferenceID("\($0)"),
                                signature: Songs.drawn($0, seconds: 1),
                                items: []
                            )
                        }
                    )
                }
            ),
            ("remove", { try $0.remove(["1", "3"]) }),
            ("compact", { try $0.compact() }),
        ]
        try withTemporaryFolder { folder in
            let original = folder.appendingPathComponent("original.earstore")
            try made(at: original)
            let before = try Catalog(contentsOf: original).data()
            for (name, change) in changes {
                let good = folder.appendingPathComponent("good.earstore")
                try FileManager.default.copyItem(at: original, to: good)
                try change(CatalogStoreTests.open(good))
                let after = try Catalog(contentsOf: good).data()
                try FileManager.default.removeItem(at: good)
                for fault in Fault.allCases {
                    // A torn file is what a program leaves that does not go on.
                    for diesThen in fault == .torn ? [true] : [false, true] {
                        var step = 1
                        while true {
                            let url = folder.appendingPathComponent("\(name)-\(fault)-\(diesThen)-\(step).earstore")
                            try FileManager.default.copyItem(at: original, to: url)
                            let disk = FaultyDisk(failing: step, fault: fault, diesThen: diesThen)
                            try attempt(change, at: url, disk, before: before, after: after)
                            if disk.count < step { break }
                            step += 1
                        }
                        #expect(step > 2)
                    }
                }
            }
        }
    }

    private func attempt(
        _ change: (CatalogStore) throws -> Void,
        at url: URL,
        _ disk: FaultyDisk,
        before: Data,
        after: Data
    ) throws {
        let isAcknowledged: Bool
        do {
            let store = try CatalogStore(url, waiting: false, disk: disk, policy: CatalogStoreTests.policy)
            isAcknowledged = code { try change(store) } == nil
        }
        // A reader first, then a writer, who clears up.
        let read = try CatalogStore.verify(url).data()
        #expect(read == after || read == before && !isAcknowledged)
        let store = try CatalogStoreTests.open(url)
        #expect(try store.catalog.data() == read)
        let names = try FileManager.default.contentsOfDirectory(atPath: url.path)
        #expect(names.count == store.segmentCount + 2)
        // And life goes on.
        try store.add([Catalog.Addition(id: "more", signature: Songs.drawn(7, seconds: 1), items: [])])
        try store.verify()
    }

    @Test("A program that goes on after a failure can change the store again")
    func goesOn() throws {
        try withTemporaryFolder { folder in
            for fault in Fault.allCases {
                for step in 1...3 {
                    let url = folder.appendingPathComponent("\(fault)-\(step).earstore")
                    try made(at: url)
                    let disk = FaultyDisk(failing: step, fault: fault, diesThen: false)
                    let store = try CatalogStore(url, waiting: false, disk: disk, policy: CatalogStoreTests.policy)
                    let addition = Catalog.Addition(id: "5", signature: Songs.drawn(5, seconds: 1), items: [])
                    let first = code { try store.add([addition]) }
                    if first != nil { try store.add([addition]) }
                    #expect(Set(store.catalog.referenceIDs) == ["1", "3", "4", "5"])
                    #expect(try Catalog(contentsOf: url).referenceIDs == store.catalog.referenceIDs)
                    try store.verify()
                }
            }
        }
    }
}
