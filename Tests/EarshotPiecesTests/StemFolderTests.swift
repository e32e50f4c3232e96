import EarshotCore
import EarshotPieces
import Foundation
import TestSupport
import Testing

@Suite("Folders of stems")
struct StemFolderTests {
    private func folder<Result>(
        _ name: String,
        _ files: [String],
        _ body: (URL) throws -> Result
    ) throws -> Result {
        try PackageSamples.withFolder { outer in
            let folder = outer.appendingPathComponent(name)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
            for (number, file) in files.enumerated() {
                let data =
                    switch (file as NSString).pathExtension.lowercased() {
                    case "wav": PackageSamples.wave([Int16(number)])
                    case "ogg": PackageSamples.ogg()
                    case "png": PackageSamples.png()
                    default: Data([1])
                    }
                try data.write(to: folder.appendingPathComponent(file))
            }
            return try body(folder)
        }
    }

    @Test("Names say which file is what, and tempo and key")
    func names() throws {
        let files = [
            "mix.wav", "Drums 120bpm.wav", "Bass_Am.wav", "preview.ogg", "cover.png", "song.project", ".hidden.wav",
        ]
        try folder("Night Loop - 120bpm Am", files) { url in
            let stems = try StemFolder(url)
            #expect(stems.title == "Night Loop" && stems.tempo == FixedTempo(120) && stems.tonality == .minor(.a))
            #expect(stems.mix?.fileName == "mix.wav" && stems.preview?.fileName == "preview.ogg")
            #expect(stems.stems.map(\.name) == ["Bass", "Drums"])
            #expect(stems.cover?.lastPathComponent == "cover.png" && stems.others == ["song.project"])
            let package = try stems.package(length: 500_000)
            #expect(package.cover != nil && package.draft.title == "Night Loop")
            let reader = try PiecePackageReader(try PiecePackageWriter(package).bytes())
            #expect(reader.parts.count == 5 && reader.draft.tonality == .minor(.a))
        }
    }

    @Test(
        "Tempo and key in names",
        arguments: [
            ("Plain", nil, .unknown, "Plain"), ("Rain 92.5 BPM", 92.5, .unknown, "Rain"),
            ("bpm140_Rain_F#min", 140, .minor(.fSharp), "Rain"), ("Rain (Eb major)", nil, .major(.dSharp), "Rain"),
            ("Rain a-Moll", nil, .minor(.a), "Rain"), ("A Day", nil, .unknown, "A Day"),
            ("What I am", nil, .unknown, "What I am"),
            ("Rain D Dorian 7", nil, .tonal(.major(on: .c), root: .d), "Rain 7"),
            ("120bpm", 120, .unknown, "120bpm"), ("0bpm", nil, .unknown, "0bpm"), ("1200bpm", nil, .unknown, "1200bpm"),
            ("Dream", nil, .unknown, "Dream"), ("Problem", nil, .unknown, "Problem"),
        ] as [(String, Double?, Tonality, String)]
    )
    func facts(_ name: String, _ tempo: Double?, _ tonality: Tonality, _ title: String) throws {
        try folder(name, ["a.wav"]) { url in
            let stems = try StemFolder(url)
            #expect(stems.tempo?.beatsPerMinute == tempo && stems.tonality == tonality && stems.title == title)
            // The only sound is the mix.
            #expect(stems.mix?.fileName == "a.wav" && stems.stems.isEmpty)
        }
    }

    @Test("Folders that leave a doubt are refused")
    func refused() throws {
        try folder("a", ["one.wav", "two.wav"]) { url in
            let stems = try StemFolder(url)
            #expect(stems.mix == nil)
            #expect(PiecePackageTests.code { try stems.package(length: 1) } == .stemMissing)
        }
        for files in [["mix.wav", "master.ogg"], ["mix.wav", "A.wav", "a.ogg"], ["a.wav", "cover.png", "Cover.PNG"]] {
            try folder("a", files) { url in
                #expect(PiecePackageTests.code { try StemFolder(url) } == .pieceInvalid)
            }
        }
        try folder("a", ["mix.wav"]) { url in
            let stems = try StemFolder(url)
            #expect(PiecePackageTests.code { try stems.package(length: 0) } == .pieceInvalid)
            try PackageSamples.png(side: 639).write(to: url.appendingPathComponent("cover.png"))
            #expect(PiecePackageTests.code { try StemFolder(url).package(length: 1) } == .coverSizeInvalid)
            try Data("text".utf8).write(to: url.appendingPathComponent("other.wav"))
            #expect(PiecePackageTests.code { try StemFolder(url) } == .pieceInvalid)
            #expect(PiecePackageTests.code { try StemFolder(url.appendingPathComponent("none")) } == .assetNotFound)
        }
    }
}
