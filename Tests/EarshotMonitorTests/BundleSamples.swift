import EarshotBroadcast
import EarshotCatalogs
import EarshotCore
import EarshotMusic
import EarshotSignatures
import Foundation
import TestSupport

@testable import EarshotMonitor

/// Bundles and queries for tests.
enum BundleSamples {
    static let created = Date(timeIntervalSince1970: 1_700_000_000)

    static func signature(_ seed: UInt64, seconds: Int = 12) -> Signature { .random(seed: seed, seconds: seconds) }

    /// Five seconds of the signature of a number.
    static func query(_ seed: UInt64) -> Signature {
        signature(seed).slice(from: MediaTime(seconds: 3), duration: MediaTime(seconds: 5)).signature
    }

    static func work(_ id: String) -> VideoWork {
        var work = VideoWork(id: EntityID(id), tag: "T", title: Name("Work \(id)"), kind: .film)
        work.date = PartialDate("1999-05")
        work.credits = [VideoCredit(.actor, "A", as: "B")]
        return work
    }

    static func data(_ identifier: String, _ count: Int) -> CustomData {
        CustomData(
            identifier: identifier,
            bytes: Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) })
        )
    }

    static func reference(
        _ seed: UInt64,
        title: String? = nil,
        work: String? = nil,
        data: CustomData? = nil
    ) -> BundleReference {
        BundleReference(
            id: ReferenceID("reference \(seed)"),
            signature: signature(seed),
            title: title,
            workID: work.map { EntityID($0) },
            customData: data
        )
    }

    /// The bytes of a bundle.
    static func bytes(
        id: String = "b",
        version: UInt64 = 1,
        works: [VideoWork] = [],
        _ references: [BundleReference]
    ) throws -> [UInt8] {
        var encoder = BundleEncoder(try BundleHeader(id: id, version: version, title: "T", creationDate: created))
        var bytes = encoder.begin()
        for work in works { bytes += try encoder.bytes(of: work) }
        for reference in references { bytes += try encoder.bytes(of: reference) }
        return bytes + encoder.end()
    }

    /// A small bundle with everything that one can hold.
    static func full(id: String = "full", version: UInt64 = 1, seed: UInt64 = 1) throws -> [UInt8] {
        var named = BundleReference(
            id: ReferenceID("reference \(seed)"),
            signature: signature(seed, seconds: 3),
            item: try MediaItem(properties: [.title: "I", .subtitle: "J", "x": [1, ["y": true]]]),
            customData: data("d", 5)
        )
        named.workID = "w1"
        return try bytes(
            id: id,
            version: version,
            works: [work("w1"), work("w2")],
            [named, reference(seed + 1, title: "é", work: "w2"), reference(seed + 2, data: data("", 0))]
        )
    }
}

/// Gives bytes from memory in pieces of a size, and keeps a record of what it was asked.
final class ScriptedSource: BundleSource {
    /// What a call does in place of giving bytes.
    enum Event { case fail, exceed, negative }

    struct Failure: Error {}

    private let bytes: [UInt8]
    private let pieceSize: Int
    private let events: [Int: Event]
    private var offset = 0
    private(set) var calls = 0
    private(set) var results: [Int] = []
    private(set) var leastRoom = Int.max
    private var isReading = false
    private(set) var overlapped = false

    /// - Parameter events: By the number of the call, counted from 1.
    init(_ bytes: [UInt8], pieceSize: Int = .max, events: [Int: Event] = [:]) {
        self.bytes = bytes
        self.pieceSize = pieceSize
        self.events = events
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) async throws -> Int {
        overlapped = overlapped || isReading
        isReading = true
        defer { isReading = false }
        await Task.yield()
        calls += 1
        leastRoom = min(leastRoom, buffer.count)
        switch events[calls] {
        case .fail: throw Failure()
        case .exceed: return buffer.count + 1
        case .negative: return -1
        case nil: break
        }
        let count = min(pieceSize, bytes.count - offset, buffer.count)
        buffer.copyBytes(from: bytes[offset..<offset + count])
        offset += count
        results.append(count)
        return count
    }
}

/// The files of a folder with their bytes.
func contents(of folder: URL) throws -> [String: Data] {
    var files: [String: Data] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
        // The lock names its holder for as long as it is held, which may be for a moment longer than the call.
        let isLock = name == "lock"
        let data = isLock ? Data() : try? Data(contentsOf: folder.appendingPathComponent(name))
        files[name] = data ?? Data("folder".utf8)
    }
    return files
}

/// The code of the error that a body throws, or nothing when it throws none.
func code(of body: () async throws -> Void) async -> EarshotError.Code? {
    do {
        try await body()
        return nil
    } catch {
        return (error as? EarshotError)?.code
    }
}
