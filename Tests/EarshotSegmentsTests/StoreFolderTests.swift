import EarshotCore
import EarshotSegments
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("Folders of stores")
struct StoreFolderTests {
    /// A disk that fails from one step on, as when the process ends there.
    private final class DyingDisk: StoreDisk {
        private let left: Mutex<Int>

        init(steps: Int) { left = Mutex(steps) }

        private func isAlive() -> Bool {
            left.withLock { left in
                left -= 1
                return left >= 0
            }
        }

        func put(_ url: URL, _ write: (URL) throws(EarshotError) -> Void) throws(EarshotError) {
            guard isAlive() else { throw EarshotError(.writeFailed, "The process has ended.") }
            try write(url)
        }

        func remove(_ url: URL) { if isAlive() { LocalDisk().remove(url) } }
    }

    private static let partName = StoreFileName(prefix: "part-", suffix: ".bin", digits: 4)
    private static let layout = ManifestLayout(
        magic: Array("TESTMANI".utf8),
        majorVersion: 1,
        minorVersion: 0,
        hasLength: true,
        minimumSize: 20
    )

    private func folder(_ url: URL, _ disk: any StoreDisk = LocalDisk()) -> StoreFolder {
        StoreFolder(url, names: [Self.partName], disk: disk)
    }

    /// Replaces all parts of a store by others, as a merge does.
    private func write(_ numbers: [UInt64], to folder: StoreFolder) throws(EarshotError) {
        for number in numbers {
            try folder.put(Self.partName(number)) { place throws(EarshotError) in
                try AtomicFile.write([UInt8(number)], to: place, replacing: true)
            }
        }
        let manifest = Self.layout.bytes(around: numbers.map { UInt8($0) })
        try folder.commit(manifest, referencing: Set(numbers.map { Self.partName($0) }))
    }

    private func read(_ url: URL) throws -> [UInt64] {
        let bytes = try #require(try StoreFolder.readManifest(in: url))
        var reader = try Self.layout.content(of: bytes)
        return (reader.read(count: reader.remaining) ?? []).map { UInt64($0) }
    }

    private func names(_ url: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
    }

    @Test("A commit cut off at any step leaves the old manifest or the new one, with all of its files")
    func everyStep() throws {
        // Two parts, the manifest, two deletions.
        for steps in 0...5 {
            try withTemporaryFolder { url in
                try write([1, 2], to: folder(url))
                let isDone = code { try write([3, 4], to: folder(url, DyingDisk(steps: steps))) } == nil
                #expect(isDone == (steps >= 3))
                let named = try read(url)
                #expect(named == (steps >= 3 ? [3, 4] : [1, 2]))
                for number in named {
                    #expect(
                        try Data(contentsOf: url.appendingPathComponent(Self.partName(number))) == Data([UInt8(number)])
                    )
                }
                // The next writer deletes what was left behind.
                folder(url).removeFiles(except: Set(named.map { Self.partName($0) }))
                #expect(try names(url) == ["manifest"] + named.map { Self.partName($0) })
            }
        }
    }

    @Test("Unfinished files are deleted, files of other names are not")
    func leftovers() throws {
        try withTemporaryFolder { url in
            for name in [".earshot-1.partial", "part-9.bin", "part-9.txt", "notes.partial"] {
                try Data().write(to: url.appendingPathComponent(name))
            }
            try write([1], to: folder(url))
            #expect(try names(url) == ["manifest", "notes.partial", "part-0001.bin", "part-9.txt"])
            try folder(url).clear()
            #expect(try names(url) == ["notes.partial", "part-9.txt"])
            #expect(try StoreFolder.readManifest(in: url) == nil)
        }
    }

    @Test("A manifest that cannot be read is not a missing one")
    func unreadable() throws {
        try withTemporaryFolder { url in
            #expect(try StoreFolder.readManifest(in: url) == nil)
            #expect(try StoreFolder.readManifest(in: url.appendingPathComponent("none")) == nil)
            // A folder can be opened and not be read, whoever asks.
            try FileManager.default.createDirectory(
                at: StoreFolder.manifestURL(in: url),
                withIntermediateDirectories: false
            )
            #expect(throws: StoreFolder.Unreadable.self) { try StoreFolder.readManifest(in: url) }
        }
    }

    @Test("Opening follows a newer manifest, and throws if the manifest stays the same")
    func latest() throws {
        var manifest = 1
        let failure = EarshotError(.storeDamaged, "gone")
        let (found, opened) = try StoreFolder.openLatest { () throws(EarshotError) in
            manifest
        } open: { number throws(EarshotError) in
            guard number == 3 else {
                manifest += 1
                throw failure
            }
            return "\(number)"
        }
        #expect(found == 3 && opened == "3")
        var attempts = 0
        let error = #expect(throws: EarshotError.self) {
            _ = try StoreFolder.openLatest { () throws(EarshotError) in
                manifest
            } open: { (_: Int) throws(EarshotError) -> String in
                attempts += 1
                throw failure
            }
        }
        #expect(error?.code == .storeDamaged && attempts == 1)
    }

    // MARK: - Lock

    @Test("A lock is taken once, names its holder, and is free after its end")
    func lock() throws {
        try withTemporaryFolder { url in
            do {
                let lock = try StoreLock(url, waiting: false)
                defer { withExtendedLifetime(lock) {} }
                #expect(try StoreLock.ifFree(url) == nil)
                let error = #expect(throws: EarshotError.self) { try StoreLock(url, waiting: false) }
                #expect(error?.code == .writeFailed)
                #expect(error?.message.contains("process \(getpid())") == true)
                lock.announce(LockHolder(process: getpid(), program: "test", isService: true, address: "here"))
                let patience = LockPatience(
                    seconds: 60,
                    refusal: { EarshotError(.storeUnavailable, "\($0) \($1?.description ?? "")") }
                )
                // Nobody waits for a service, and the patience words the refusal.
                let refusal = #expect(throws: EarshotError.self) { try StoreLock(url, patience: patience) }
                #expect(refusal?.code == .storeUnavailable)
                #expect(refusal?.message.contains("test at here") == true)
            }
            #expect(try StoreLock.ifFree(url) != nil)
            #expect(try Data(contentsOf: url.appendingPathComponent(StoreLock.fileName)).isEmpty)
        }
    }

    @Test("A folder that is not there cannot be locked")
    func noFolder() throws {
        try withTemporaryFolder { url in
            let missing = url.appendingPathComponent("missing")
            #expect(code { _ = try StoreLock(missing, waiting: true) } == .writeFailed)
            #expect(code { _ = try StoreLock.ifFree(missing) } == .writeFailed)
        }
    }
}
