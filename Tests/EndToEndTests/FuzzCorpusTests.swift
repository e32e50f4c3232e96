import EarshotAPI
import EarshotAnalysis
import EarshotBroadcast
import EarshotCatalogs
import EarshotCore
import EarshotFingerprints
import EarshotMedia
import EarshotMonitor
import EarshotMusic
import EarshotPieces
import EarshotRecognition
import EarshotSharedCatalogs
import EarshotSignatures
import EarshotStations
import EarshotTags
import EarshotTimedContent
import Foundation
import TestSupport
import Testing

@testable import EarshotLibrary

/// The readers that fuzz targets try, with the cases that they found: `scripts/fuzz` has the address sanitizer and more checks.
@Suite("What fuzzing found")
struct FuzzCorpusTests {
    @Test("every case is read, or refused with a code of its reader", arguments: Self.readers.keys.sorted())
    func cases(target: String) throws {
        let reader = try #require(Self.readers[target])
        let cases = try FuzzCases(of: target).all
        #expect(!cases.isEmpty)
        for (name, bytes) in cases {
            do {
                try reader.read(bytes)
            } catch let error as EarshotError {
                #expect(reader.codes.contains(error.code), "\(target)/\(name): \(error)")
            } catch {
                Issue.record("\(target)/\(name): \(error)")
            }
        }
    }

    @Test("every target with cases has a reader here")
    func targets() throws {
        let folders = try FileManager.default.contentsOfDirectory(atPath: FuzzCases.seeds.path)
        #expect(Set(folders.filter { $0.hasPrefix("Fuzz") }).isSubset(of: Self.readers.keys))
    }

    @Test("an archive of cases is read as it was packed")
    func archive() throws {
        try withTemporaryFolder { folder in
            let cases = folder.appendingPathComponent("cases", isDirectory: true)
            try FileManager.default.createDirectory(at: cases, withIntermediateDirectories: false)
            let contents = [
                Data("one".utf8), Data(repeating: 7, count: 512), Data((0..<2_000).map { UInt8($0 & 255) }),
            ]
            for (index, data) in contents.enumerated() {
                try data.write(to: cases.appendingPathComponent("\(index)"))
            }
            let archive = folder.appendingPathComponent("archive.tar.gz")
            let packer = packageFolder.appendingPathComponent("scripts/lib/fuzz_corpus.py").path
            let packing = Process()
            packing.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            packing.arguments = ["python3", packer, "pack", cases.path, archive.path]
            packing.standardOutput = FileHandle.nullDevice
            try packing.run()
            packing.waitUntilExit()
            try #require(packing.terminationStatus == 0)
            let read = try FuzzCases.unpacked([UInt8](Data(contentsOf: archive)))
            #expect(Set(read.map { Data($0.bytes) }) == Set(contents))
            #expect(read.allSatisfy { $0.name.count == 40 })
        }
    }

    // MARK: - Readers

    struct Reader: Sendable {
        /// The codes with which it refuses.
        var codes: Set<EarshotError.Code>
        var read: @Sendable ([UInt8]) throws -> Void

        init(_ codes: EarshotError.Code..., read: @escaping @Sendable ([UInt8]) throws -> Void) {
            (self.codes, self.read) = (Set(codes), read)
        }
    }

    static let readers: [String: Reader] = [
        "FuzzBundle": Reader(.bundleInvalid) { bytes in
            var reader = BundleReader()
            reader.append(bytes[...])
            while try reader.next() != nil {}
            _ = try reader.finish()
        },
        "FuzzCatalog": Reader(.catalogInvalid, .signatureInvalid, .mediaItemInvalid) {
            bytes in
            let catalog = try Catalog(data: Data(bytes))
            try catalog.forEachReference { _ in }
            try catalog.verify()
        },
        "FuzzFingerprint": Reader(.signatureInvalid) { bytes in
            _ = try FileFingerprint(text: String(decoding: bytes, as: UTF8.self), duration: .zero)
        },
        "FuzzFingerprintForm": Reader(.requestInvalid, .uploadTooLarge) { bytes in
            let rest = Array(bytes.dropFirst())
            let content = (bytes.first ?? 0) % 3 == 0 ? try CompressedBody.unpacked(rest, limit: 32 << 10) : rest
            var form = FormParameters()
            try form.add(String(decoding: content, as: UTF8.self))
            _ = form.suffixes(of: "fingerprint", "trackid")
        },
        "FuzzFingerprintSegment": Reader(.storeDamaged, .storeUnavailable) { bytes in
            try withTemporaryFolder { folder in
                try Data(bytes).write(to: folder.appendingPathComponent("1.earprints"))
                try Data(bytes).write(to: folder.appendingPathComponent("manifest"))
                try FingerprintIndex(at: folder, access: .reading).verify()
            }
        },
        "FuzzGuide": Reader(.metadataInvalid) { bytes in _ = try XMLTVReader().guide(in: Data(bytes)) },
        "FuzzLiveFeed": Reader(.requestInvalid) { bytes in
            var reader = LiveFeedReader()
            reader.append(bytes[...])
            while try reader.next() != nil {}
            try reader.finish()
        },
        "FuzzMediaItem": Reader(.mediaItemInvalid) { bytes in
            guard let object = try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any] else { return }
            _ = try MediaItem(propertyList: object)
        },
        "FuzzMusic": Reader(.metadataInvalid, .taxonomyInvalid) { bytes in try music(bytes) },
        "FuzzNodeSearch": Reader(.requestInvalid) { bytes in try nodeSearch(bytes) },
        "FuzzPicture": Reader(.assetUnreadable) { bytes in _ = try PictureHeader(of: Array(bytes.dropFirst())) },
        "FuzzPiece": Reader(.pieceInvalid, .stemMissing, .coverSizeInvalid, .attachmentTooLarge, .readFailed) { bytes in
            _ = try PiecePackageReader(Data(bytes)).package()
        },
        "FuzzPlayer": Reader { bytes in
            var decoder = MPDDecoder()
            for case .done(let sections) in decoder.append(bytes.dropFirst()) {
                for song in sections.flatMap(MPDSong.songs) { _ = MusicItem(song, in: "/music") }
            }
        },
        "FuzzPlaylist": Reader(.metadataInvalid) { bytes in
            let formats: [PlaylistFormat] = [.m3u, .m3u8, .pls, .xspf]
            let base = URL(fileURLWithPath: "/music/list.m3u")
            let format = formats[Int(bytes.first ?? 0) % formats.count]
            _ = try PlaylistReader().playlist(in: Data(bytes.dropFirst()), format: format, base: base)
        },
        "FuzzPlaylog": Reader(.metadataInvalid) { bytes in
            let rest = Data(bytes.dropFirst())
            for format in [PlaylogFormat.csv, .jsonLines] {
                for record in try PlayImport.records(in: rest, format).records { _ = record.checked() }
            }
        },
        "FuzzRequest": Reader(.requestInvalid) { bytes in
            let rest = bytes.dropFirst()
            _ = ContentReference(text: String(decoding: rest, as: UTF8.self))
            _ = try? ServiceAPI.decoder().decode(ClientChange.self, from: Data(rest))
            var parser = try MultipartParser(contentType: "multipart/form-data; boundary=b")
            _ = try parser.take(rest)
        },
        "FuzzSignature": Reader(.signatureInvalid) { bytes in
            let signature = try Signature(data: Data(bytes))
            let again = try Signature(data: signature.dataWithSpectrogram)
            #expect(again == signature)
        },
        "FuzzStoreManifest": Reader(.storeDamaged, .storeUnavailable, .catalogInvalid) {
            bytes in
            try withTemporaryFolder { folder in
                let store = folder.appendingPathComponent("a.earstore", isDirectory: true)
                try FileManager.default.createDirectory(at: store, withIntermediateDirectories: false)
                try Data(bytes).write(to: store.appendingPathComponent("manifest"))
                _ = try Catalog(contentsOf: store)
            }
        },
        "FuzzTagJournal": Reader(.storeDamaged) { bytes in _ = try TagJournal.changes(in: bytes) },
        "FuzzTimedContent": Reader(.timelineInvalid) { bytes in
            let forms = TimedContentFormat.allCases
            let choice = Int(bytes.first ?? 0) % (forms.count + 1)
            let format = choice < forms.count ? forms[choice] : nil
            let timeline = try Timeline(data: Data(bytes.dropFirst()), format: format, name: "input")
            let again = try Timeline(data: timeline.data(as: .json), format: .json)
            #expect(again == timeline)
        },
        "FuzzWaveform": Reader(.metadataInvalid) { bytes in _ = try Waveform(dataFile: bytes) },
    ]

    private static func nodeSearch(_ bytes: [UInt8]) throws {
        let rest = Array(bytes.dropFirst())
        do throws(NodeSearchFault) {
            switch (bytes.first ?? 0) % 4 {
            case 0: _ = try NodeSearchRequest(bytes: rest)
            case 2:
                let totals = SearchTotals(
                    frameCount: 4_000,
                    postingCount: 90_000,
                    segmentCount: 3,
                    referenceCount: 12,
                    hasBits: true
                )
                let request = NodeSearchRequest(
                    catalog: "music",
                    generation: 1,
                    patience: 9,
                    parts: [0, 2].map { number in
                        NodeSearchRequest.Part(
                            object: "\(number)",
                            removedCount: 0,
                            place: SearchPart(segment: number, firstFrame: 4 * number)
                        )
                    },
                    round: SearchRound(kind: .full, totals: totals),
                    query: .random(seed: 1, seconds: 5)
                )
                _ = try NodeSearchAnswer(bytes: rest, to: request)
            default: break
            }
        } catch {
            throw EarshotError(.requestInvalid, "\(error)")
        }
    }

    private static func music(_ bytes: [UInt8]) throws {
        let rest = Array(bytes.dropFirst())
        let dump = MusicBrainzReader(descriptors: .init(.builtIn))
        switch (bytes.first ?? 0) % 6 {
        case 0: _ = try dump.changes(in: Data(rest), of: .artist)
        case 1: _ = try dump.changes(in: Data(rest), of: .release)
        case 2: _ = try Taxonomy(decoding: rest, named: "input").encoded()
        case 3: _ = SearchQuery(String(decoding: rest, as: UTF8.self), isTyping: true)
        case 4:
            let lines = rest.split(separator: 0x0A, maxSplits: 1, omittingEmptySubsequences: false)
            let table = try TrackTable(firstLine: Data(lines[0]))
            _ = try table.changes(in: Data(lines[table.hasHeader && lines.count > 1 ? 1 : 0]))
        default: _ = try LRCFile(Data(rest))
        }
    }
}
