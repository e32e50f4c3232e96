import EarshotBroadcast
import EarshotCatalogs
import EarshotCore
import EarshotMusic
import EarshotSignatures
import Foundation
import TestSupport
import Testing

@testable import EarshotMonitor

@Suite("The format of bundles")
struct BundleFormatTests {
    /// What a reader gives for bytes that come in pieces.
    private func read(_ bytes: [UInt8], pieces: () -> Int) throws -> [BundleRecord] {
        var reader = BundleReader()
        var records: [BundleRecord] = []
        var offset = 0
        while offset < bytes.count {
            let end = min(bytes.count, offset + max(1, pieces()))
            reader.append(bytes[offset..<end])
            while let record = try reader.next() { records.append(record) }
            offset = end
        }
        let summary = try reader.finish()
        #expect(records.last == .end(summary))
        return records
    }

    @Test("What is written is read, with one byte at a time as with all at once", .requirements("R-ACR-090"))
    func roundTrip() throws {
        let bytes = try BundleSamples.full()
        let whole = try read(bytes) { .max }
        #expect(try read(bytes) { 1 } == whole)
        guard case .header(let header) = whole.first, case .end(let summary) = whole.last else {
            Issue.record("a bundle begins with a header and ends with a trailer")
            return
        }
        #expect(header == (try BundleHeader(id: "full", version: 1, title: "T", creationDate: BundleSamples.created)))
        #expect(summary.referenceCount == 3 && summary.workCount == 2 && summary.customDataCount == 2)
        #expect(summary.byteCount == bytes.count)
        let works = whole.compactMap { if case .work(let work) = $0 { work } else { nil } }
        #expect(works == [BundleSamples.work("w1"), BundleSamples.work("w2")])
        let references = whole.compactMap { if case .reference(let reference) = $0 { reference } else { nil } }
        #expect(references.map(\.id) == ["reference 1", "reference 2", "reference 3"])
        #expect(references.map(\.workID) == ["w1", "w2", nil])
        #expect(references[0].customData == BundleSamples.data("d", 5))
        #expect(references[2].customData == CustomData(identifier: "", bytes: Data()))
        #expect(references[0].item["x"] == [1, ["y": true]])
        #expect(references[1].title == "é" && references[1].subtitle == nil)
        #expect(references[1].signature == BundleSamples.signature(2).thinned(to: 48))
        property("bundles in pieces", rounds: 30) { generator in
            try read(bytes) { Int.random(in: 1...3_000, using: &generator) } == whole
        }
    }

    @Test("The bytes stay as they are documented")
    func vector() throws {
        var encoder = BundleEncoder(
            try BundleHeader(id: "ad", version: 3, title: "é", creationDate: BundleSamples.created)
        )
        let bytes = encoder.begin() + encoder.end()
        let hex = bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        let header = [
            "454152534842444c", "01000000", "01000000", "0300000000000000", "0068e5cf8b010000", "02000000", "02000000",
            "00000000", "6164", "c3a9",
        ]
        #expect(hex.hasPrefix(header.joined()))
        #expect(bytes.count == 44 + 4 + 4 + 8 + 56 + 4)
        let trailer = ["04000080", "38000000", String(repeating: "0", count: 32), "78"]
        #expect(hex.dropFirst(2 * 52).hasPrefix(trailer.joined()))
        #expect(encoder.summary.byteCount == bytes.count)
        #expect(try read(bytes) { .max }.count == 2)
    }

    @Test("A flipped bit anywhere is refused", .requirements("R-ACR-137"))
    func flips() throws {
        let bytes = try BundleSamples.full()
        for offset in bytes.indices {
            var damaged = bytes
            damaged[offset] ^= 1 << UInt8(offset % 8)
            #expect(code { _ = try read(damaged) { .max } } == .bundleInvalid, "byte \(offset)")
        }
    }

    @Test("A bundle that is cut short or goes on behind its end is refused")
    func length() throws {
        let bytes = try BundleSamples.full()
        for count in stride(from: 0, to: bytes.count, by: 7) {
            #expect(code { _ = try read(Array(bytes[..<count])) { .max } } == .bundleInvalid, "\(count) bytes")
        }
        #expect(code { _ = try read(bytes + [0]) { .max } } == .bundleInvalid)
        #expect(code { _ = try read(bytes + bytes) { 1 } } == .bundleInvalid)
        #expect(code { _ = try read(Array("{\"a\":1}".utf8)) { 1 } } == .bundleInvalid)
    }

    @Test("Changed bytes never end the program, and what is read of them reads the same in any pieces")
    func mutations() throws {
        let bytes = try BundleSamples.full()
        property("damaged bundles", rounds: 300) { generator in
            let damaged = generator.mutated(bytes)
            var cuts = generator
            let whole = Result { try read(damaged) { .max } }
            let pieces = Result { try read(damaged) { Int.random(in: 1...900, using: &cuts) } }
            switch (whole, pieces) {
            case (.success(let first), .success(let second)): return first == second
            case (.failure(let first), .failure(let second)):
                return (first as? EarshotError)?.code == .bundleInvalid && "\(first)" == "\(second)"
            default: return false
            }
        }
    }

    @Test("Records of other kinds are passed over unless they say that they must not be")
    func unknownKinds() throws {
        func bundle(_ kind: UInt32) throws -> [UInt8] {
            var encoder = BundleEncoder(try BundleHeader(id: "b", version: 1, creationDate: BundleSamples.created))
            var bytes = encoder.begin()
            bytes += encoder.bytes(ofKind: kind, Array("later".utf8))
            bytes += try encoder.bytes(of: BundleSamples.reference(1, data: BundleSamples.data("d", 3)))
            bytes += encoder.bytes(ofKind: kind, [])
            return bytes + encoder.end()
        }
        let records = try read(try bundle(77)) { 1 }
        #expect(records.count == 3)
        guard case .end(let summary) = records.last else { return }
        #expect(summary.unknownCount == 2)
        #expect(code { _ = try read(try bundle(77 | BundleFormat.required)) { 1 } } == .bundleInvalid)
    }

    /// A bundle of records that are written as they are given.
    private func raw(_ records: [(UInt32, [UInt8])]) throws -> [UInt8] {
        var encoder = BundleEncoder(try BundleHeader(id: "b", version: 1, creationDate: BundleSamples.created))
        var bytes = encoder.begin()
        for (kind, payload) in records { bytes += encoder.bytes(ofKind: kind, payload) }
        return bytes + encoder.end()
    }

    private func payload(_ reference: BundleReference) -> [UInt8] {
        BundleFields.Reference(reference, signature: reference.signature.data).bytes
    }

    @Test("Records that break a rule are refused, and the error says which")
    func rules() throws {
        typealias Kind = BundleFormat.Kind
        let plain = BundleSamples.reference(1)
        let data: [UInt8] = [1, 97, 0]
        var empty = plain
        empty.signature = Signature(configuration: .standard, duration: .zero, landmarks: [])
        var workless = plain
        workless.workID = "w"
        var dataless = plain
        dataless.customData = CustomData(identifier: "", bytes: Data())
        var long = plain
        long.title = String(repeating: "x", count: 5_000)
        let cases: [([(UInt32, [UInt8])], String)] = [
            ([(Kind.reference, payload(plain)), (Kind.reference, payload(plain))], "second reference"),
            ([(Kind.reference, payload(empty))], "empty signature"),
            ([(Kind.reference, payload(workless))], "the work w"),
            ([(Kind.reference, payload(dataless))], "custom data"),
            ([(Kind.reference, payload(long))], "is no reference"),
            ([(Kind.reference, Array(payload(plain).dropLast()))], "signature"),
            ([(Kind.reference, [16] + payload(plain).dropFirst())], "is no reference"),
            ([(Kind.customData, data), (Kind.reference, payload(plain))], "custom data"),
            ([(Kind.customData, data), (Kind.customData, data)], "custom data"),
            ([(Kind.customData, data)], "where a reference should be"),
            ([(Kind.customData, [])], "is no custom data"),
            ([(Kind.customData, data + [UInt8](repeating: 0, count: 1 << 20 + 1))], "is no custom data"),
            ([(Kind.work, Array("{}".utf8))], "is no work"),
            ([(Kind.work, [UInt8](repeating: 32, count: 1 << 20 + 1))], "1048576 are allowed"),
            ([], "counts other records"),
        ]
        for (records, text) in cases {
            var bytes = try raw(records)
            if records.isEmpty {
                // A trailer that counts what is not there.
                var encoder = BundleEncoder(try BundleHeader(id: "b", version: 1, creationDate: BundleSamples.created))
                let header = encoder.begin()
                _ = encoder.end()
                var lying = BundleEncoder(encoder.header)
                _ = lying.begin()
                var trailer = Array(lying.end().dropFirst(8).dropLast(4))
                trailer[0] = 1
                bytes = header + BundleEncoder.sealed(Kind.trailer, trailer)
            }
            do {
                _ = try read(bytes) { .max }
                Issue.record("\(text): was read")
            } catch let error as EarshotError {
                #expect(error.code == .bundleInvalid && error.message.contains(text), "\(text): \(error)")
            }
        }
    }

    @Test("A writer refuses what a reader would, and goes on")
    func writer() throws {
        try withTemporaryFolder { folder in
            let url = folder.appendingPathComponent("a.earbundle")
            let header = try BundleHeader(id: "a", version: 9, creationDate: BundleSamples.created)
            let writer = try BundleWriter(url, header: header)
            try writer.add(BundleSamples.reference(1), work: BundleSamples.work("w"))
            try writer.add(BundleSamples.reference(2), work: BundleSamples.work("w"))
            let refused: [() throws -> Void] = [
                { try writer.add(BundleSamples.reference(1)) },
                { try writer.add(BundleSamples.reference(3, work: "none")) },
                { try writer.add(BundleSamples.reference(3, data: BundleSamples.data("d", 1 << 20 + 1))) },
                { try writer.add(BundleReference(id: "", signature: BundleSamples.signature(1))) },
                { try writer.add(BundleReference(id: "x", signature: BundleSamples.signature(1, seconds: 0))) },
                {
                    var other = BundleSamples.work("w")
                    other.title = Name("Other")
                    try writer.add(other)
                },
            ]
            for body in refused { #expect(code(of: body) == .bundleInvalid) }
            #expect(!FileManager.default.fileExists(atPath: url.path))
            let summary = try writer.finish()
            #expect(summary.referenceCount == 2 && summary.workCount == 1)
            let bytes = [UInt8](try Data(contentsOf: url))
            #expect(bytes.count == summary.byteCount)
            #expect(try read(bytes) { 100 }.last == .end(summary))
        }
        for id in ["", ".a", "a/b", "ä", "a b", String(repeating: "a", count: 129)] {
            #expect(code { _ = try BundleHeader(id: id, version: 1, creationDate: Date()) } == .bundleInvalid)
        }
        #expect(try BundleHeader(id: "A-z_0.9", version: 1, creationDate: Date()).id == "A-z_0.9")
    }
}
