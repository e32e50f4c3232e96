import EarshotCore
import EarshotSegments
import EarshotSignatures
import Foundation
import TestSupport
import Testing

@testable import EarshotCatalogs

@Suite("Merging segments")
struct SegmentMergerTests {
    private func drawn(_ generator: inout some RandomNumberGenerator, id: Int) throws -> Reference {
        let whole = Songs.drawn(generator.next(), seconds: Int.random(in: 1...5, using: &generator))
        // Ends anywhere, so that references do not take whole units of the timeline by themselves.
        let signature = Songs.part(
            of: whole,
            from: 0,
            seconds: Double.random(in: 0.2...whole.duration.seconds, using: &generator)
        )
        let items = try (0..<Int.random(in: 0...2, using: &generator)).map {
            try MediaItem(properties: [.title: .string("\(id) \($0)")])
        }
        return Reference(
            id: ReferenceID("\(Int.random(in: 0..<100, using: &generator)) \(id)"),
            signature: signature.thinned(to: Reference.density),
            items: items
        )
    }

    private func source(_ references: [Reference], removed: Set<Int> = []) throws -> SegmentMerger.Source {
        let image = try SegmentWriter.image(of: references, limits: .standard)
        let segment = try Segment(MappedBytes(image), name: "test")
        return SegmentMerger.Source(target: MaskedSegment(segment: segment, removed: removed), name: "test")
    }

    @Test("What is left of segments becomes the bytes that its references give when they are laid out at once")
    func sameBytes() throws {
        let limits = QueryLimits(minimumMilliseconds: 2_000, maximumMilliseconds: 20_000)
        property("merge against laying out", rounds: 40) { generator in
            var sources: [SegmentMerger.Source] = []
            var kept: [Reference] = []
            for part in 0..<Int.random(in: 0...5, using: &generator) {
                let references = try (0..<Int.random(in: 0...5, using: &generator)).map {
                    try drawn(&generator, id: part * 10 + $0)
                }
                let removed = Set(references.indices.filter { _ in Int.random(in: 0..<3, using: &generator) == 0 })
                kept += references.indices.filter { !removed.contains($0) }.map { references[$0] }
                sources.append(try source(references, removed: removed))
            }
            let expected = try SegmentWriter.image(of: kept, limits: limits)
            // In one piece, and in as many as there can be.
            return try SegmentMerger.image(of: sources, limits: limits) == expected
                && SegmentMerger.image(of: sources, limits: limits, pieceCount: 1) == expected
        }
    }

    @Test("A key of which there are more postings than are held at once")
    func longList() throws {
        // The same few landmarks again and again.
        let landmarks = (0..<2_000).map { Landmark(time: UInt32($0 * 20), frequency: 800, tier: 0) }
        let references = (0..<3).map { number in
            Reference(
                id: ReferenceID("\(number)"),
                signature: Signature(
                    configuration: .standard,
                    duration: MediaTime(value: 81 + Int64(number), timescale: 1),
                    landmarks: landmarks
                ),
                items: []
            )
        }
        let sources = try references.map { try source([$0]) }
        #expect(
            try SegmentMerger.image(of: sources, limits: .standard, pieceCount: 64)
                == SegmentWriter.image(of: references, limits: .standard)
        )
    }

    @Test("In a file it gives the bytes that it gives in memory, and leaves mapped sources as they are")
    func file() throws {
        try withTemporaryFolder { folder in
            var expected = Catalog()
            var sources: [SegmentMerger.Source] = []
            for part in 0..<3 {
                let url = folder.appendingPathComponent("\(part).earcat")
                var catalog = Catalog()
                for number in 0..<4 {
                    let signature = Songs.drawn(UInt64(part * 4 + number), seconds: 3)
                    try catalog.add(signature, representing: [], id: ReferenceID("\(part) \(number)"))
                    try expected.add(signature, representing: [], id: ReferenceID("\(part) \(number)"))
                }
                try catalog.write(to: url)
                let segment = try Segment(MappedBytes(contentsOf: url), name: url.path)
                sources.append(
                    SegmentMerger.Source(target: MaskedSegment(segment: segment, removed: []), name: url.path)
                )
            }
            let merged = folder.appendingPathComponent("merged.earcat")
            try SegmentMerger.merge(sources, limits: .standard, to: merged)
            #expect(try Data(contentsOf: merged) == expected.data())
            for source in sources { try source.target.segment.verify(name: source.name) }
            #expect(code { try SegmentMerger.merge(sources, limits: .standard, to: merged) } == .destinationExists)
        }
    }

    @Test("A segment of which any section is damaged is not merged, and nothing is left")
    func damage() throws {
        try withTemporaryFolder { folder in
            let good = try source([Reference(id: "a", signature: Songs.drawn(1, seconds: 2), items: [])])
            let bytes = good.target.segment.bytes.array(0..<good.target.segment.bytes.count)
            for section in 0..<8 {
                let entry = 64 + section * 24
                let count = CatalogImage.number(bytes, entry + 16, 8)
                guard count > 0 else { continue }
                var damaged = bytes
                damaged[CatalogImage.number(bytes, entry + 8, 8) + count - 1] ^= 1
                guard let segment = try? Segment(MappedBytes(damaged), name: "bad") else { continue }
                let bad = SegmentMerger.Source(target: MaskedSegment(segment: segment, removed: []), name: "bad")
                let url = folder.appendingPathComponent("merged.earcat")
                let failure = #expect(throws: EarshotError.self) {
                    try SegmentMerger.merge([good, bad], limits: .standard, to: url)
                }
                #expect(failure?.code == .catalogInvalid)
                #expect(failure?.message.hasPrefix("bad is damaged") == true)
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        }
    }

    @Test("Postings that are out of order behind checksums that fit are refused or merged, and lead nowhere")
    func disorder() throws {
        property("disorder", rounds: 60) { generator in
            var image = try CatalogImage(of: [Songs.drawn(generator.next(), seconds: 6)])
            for section in [5, 6, 7, 8] {
                guard var content = image.sections[section], !content.isEmpty else { continue }
                for _ in 0..<3 {
                    content[Int.random(in: content.indices, using: &generator)] = UInt8.random(
                        in: 0...255,
                        using: &generator
                    )
                }
                image.sections[section] = content
            }
            guard let segment = try? image.segment else { return true }
            let source = SegmentMerger.Source(target: MaskedSegment(segment: segment, removed: []), name: "test")
            let good = try self.source([try drawn(&generator, id: 1)])
            guard let merged = try? SegmentMerger.image(of: [good, source, good], limits: .standard, pieceCount: 100)
            else { return true }
            try Segment(MappedBytes(merged), name: "merged").verifyChecksums(name: "merged")
            return true
        }
    }

    @Test("A catalog that lays out what was added as it grows gives the bytes of one that does so at the end")
    func growing() throws {
        var (growing, waiting) = (Catalog(), Catalog())
        growing.pendingLandmarkLimit = 200
        for number in 0..<24 {
            let signature = Songs.drawn(UInt64(number), seconds: 2)
            let id = ReferenceID("r\(number)")
            try growing.add(signature, representing: [], id: id)
            try waiting.add(signature, representing: [], id: id)
            if number % 5 == 4 {
                try growing.remove(ReferenceID("r\(number - 3)"))
                try waiting.remove(ReferenceID("r\(number - 3)"))
            }
        }
        #expect(growing.pending.count < 8)
        #expect(growing.targets.count < 8)
        #expect(growing.referenceIDs == waiting.referenceIDs)
        #expect(try growing.data() == waiting.data())
    }
}
