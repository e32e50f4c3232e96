// Manifests of arbitrary bytes, tombstones among them, with and without a length and a check sum that fit, in a folder with
// the segments that the seeds name: refused, or the store can be read, searched, changed and merged, and a merge changes
// nothing of what it holds.

import EarshotCatalogs
import EarshotCore
import EarshotSignatures
import Foundation
import LibFuzzer

/// Landmarks that follow from a number, 25 a second for two seconds.
func signature(_ number: Int) throws -> Signature {
    var bytes = Array("EARSHSIG".utf8) + [1, 0, 0, 0, 1, 0, 0, 0] + littleEndian(Int64(2)) + littleEndian(Int32(1))
    bytes += littleEndian(UInt32(2)) + littleEndian(UInt32(50)) + [26, 24]
    for index in 0..<50 {
        let time = index * 20
        let bits = UInt32(time % 512) << 15 | UInt32(index * (389 + number) % 1_900) << 4 | UInt32(index % 3)
        bytes += littleEndian(bits).prefix(3)
    }
    return try Signature(data: Data(bytes + littleEndian(checksum(bytes))))
}

/// A store of two segments, one of them with something removed, from which every input takes its segments.
struct Template {
    let folder: URL
    let store: URL
    let query: Signature

    init() throws {
        // In memory where there is such a folder: each run writes and flushes files.
        let memory = URL(fileURLWithPath: "/dev/shm", isDirectory: true)
        let base =
            FileManager.default.isWritableFile(atPath: memory.path)
            ? memory : FileManager.default.temporaryDirectory
        folder = base.appendingPathComponent("FuzzStoreManifest-\(getpid())", isDirectory: true)
        store = folder.appendingPathComponent("template.earstore", isDirectory: true)
        query = try signature(0)
        try? FileManager.default.removeItem(at: folder)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let store = try CatalogStore.create(at: store)
        for numbers in [0..<4, 4..<7] {
            try store.change { catalog in
                for number in numbers {
                    try catalog.add(signature(number), representing: [], id: ReferenceID("reference \(number)"))
                }
            }
        }
        try store.remove(["reference 1", "reference 3"])
    }

    /// A store of the template's segments with another manifest.
    func copy(with manifest: [UInt8]) throws -> URL {
        let copy = folder.appendingPathComponent("input.earstore", isDirectory: true)
        try? FileManager.default.removeItem(at: copy)
        try FileManager.default.createDirectory(at: copy, withIntermediateDirectories: false)
        for name in try FileManager.default.contentsOfDirectory(atPath: store.path) where name.hasPrefix("segment-") {
            try FileManager.default.linkItem(
                at: store.appendingPathComponent(name),
                to: copy.appendingPathComponent(name)
            )
        }
        try Data(manifest).write(to: copy.appendingPathComponent("manifest"))
        return copy
    }
}

let template = try Template()

// Made anew with every format: `FuzzStoreManifest --seed FILE` writes a manifest for the fuzzer to begin with.
if CommandLine.arguments.count == 3, CommandLine.arguments[1] == "--seed" {
    let manifest = try Data(contentsOf: template.store.appendingPathComponent("manifest"))
    try manifest.write(to: URL(fileURLWithPath: CommandLine.arguments[2]))
    try FileManager.default.removeItem(at: template.folder)
    exit(0)
}

func exercise(_ bytes: [UInt8]) throws {
    let url = try template.copy(with: bytes)
    guard let catalog = try? Catalog(contentsOf: url) else { return }
    let ids = catalog.referenceIDs
    precondition(ids.count == catalog.count)
    for id in ids { _ = try catalog.reference(id) }
    if catalog.queryLimits.minimum <= template.query.duration, catalog.queryLimits.maximum >= template.query.duration {
        _ = try catalog.match(template.query)
    }
    let isWhole = (try? CatalogStore.verify(url)) != nil
    // What could be opened can be changed, and a merge keeps what there is, in its order.
    let store = try CatalogStore(url)
    let first = ids.first
    try store.change { catalog in
        if let first { try catalog.remove(first) }
        try catalog.add(signature(9), representing: [], id: "new")
    }
    let expected = ids.dropFirst() + ["new"]
    precondition(store.catalog.referenceIDs == Array(expected))
    let data = try store.catalog.data()
    try store.compact()
    precondition(store.catalog.referenceIDs == Array(expected))
    let merged = try store.catalog.data()
    precondition(merged == data)
    if isWhole { try store.verify() }
    let read = try Catalog(contentsOf: url)
    precondition(read.referenceIDs == Array(expected))
}

/// Numbers near the last one that a store may have are read, and the change that would exceed it is refused.
func isWornOut(_ error: any Error) -> Bool { "\(error)".contains("the largest number of changes") }

fuzz { bytes in
    do {
        try exercise(bytes)
        guard bytes.count >= 20 else { return }
        var sealed = bytes
        sealed.replaceSubrange(12..<16, with: littleEndian(UInt32(bytes.count)))
        sealed.replaceSubrange((bytes.count - 4)..., with: littleEndian(checksum(sealed.dropLast(4))))
        if sealed != bytes { try exercise(sealed) }
    } catch let error where isWornOut(error) {
        return
    } catch {
        preconditionFailure("what was opened cannot be used: \(error)")
    }
}
