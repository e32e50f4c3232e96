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
            ("I Am Legend", nil, .unknown, "I Am Legend"), ("Em and I", nil, .unknown, "Em and I"),
            ("I Am Legend 120bpm", 120, .unknown, "I Am Legend"), ("Rain Em", nil, .minor(.e), "Rain"),
            ("Rain Am 120bpm Take", 120, .minor(.a), "Rain Take"), ("Rain (Bm) -", nil, .minor(.b), "Rain"),
            ("Rain 92 BPM - Dm Take", 92, .minor(.d), "Rain - Take"),
            ("Rain F#m Take", nil, .minor(.fSharp), "Rain Take"),
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

    @Test("Sound in other formats has its role, and what it is converted to takes its place")
    func unconverted() throws {
        // With Opus in the container of Vorbis.
        try folder("a", ["mix.flac", "drums.wav", "Bass 120bpm.mp3", "preview.opus", "flute.ogg", "notes.txt"]) { url in
            try Data(Array("OggS".utf8) + [UInt8](repeating: 0, count: 22) + [1, 19] + Array("OpusHead".utf8)).write(
                to: url.appendingPathComponent("flute.ogg")
            )
            var stems = try StemFolder(url)
            #expect(stems.mix == nil && stems.preview == nil && stems.stems.map(\.name) == ["drums"])
            #expect(stems.tempo == FixedTempo(120) && stems.others == ["notes.txt"])
            let left = stems.unconverted
            #expect(left.map(\.role) == [.stem("Bass"), .stem("flute"), .mix, .preview])
            #expect(
                left.map(\.file.lastPathComponent) == ["Bass 120bpm.mp3", "flute.ogg", "mix.flac", "preview.opus"]
            )
            #expect(PiecePackageTests.code { try stems.package(length: 1) } == .pieceInvalid)
            for other in left {
                stems.take(PackagedAudio(try AudioBundle(.wave, PackageSamples.wave([7]))), for: other)
            }
            #expect(stems.unconverted.isEmpty && stems.stems.map(\.name) == ["Bass", "drums", "flute"])
            #expect(stems.mix != nil && stems.preview != nil)
            let package = try stems.package(length: 1)
            #expect(package.stems.count == 3 && package.mix == stems.mix)
        }
        // The only sound is the mix in any format, but not beside a file that is called so.
        let only = try folder("a", ["loop.flac"]) { url in try StemFolder(url).unconverted.map(\.role) }
        #expect(only == [.mix])
        for name in ["mix.flac", "Master 120bpm.xyz"] {
            try folder("a", [name, "drums.wav"]) { url in
                let stems = try StemFolder(url)
                #expect(stems.mix == nil && stems.stems.map(\.name) == ["drums"])
            }
        }
    }

    @Test("Stems whose names come to the same have numbers")
    func numbers() throws {
        let long = String(repeating: "a", count: 50)
        let files = [
            "mix.wav", "Drums 120bpm.wav", "Drums 2.wav", "Drums Am.wav", "drums.ogg", "\(long)1.wav", "\(long)2.wav",
        ]
        try folder("a", files + [" .wav", "\u{301}.wav"]) { url in
            let stems = try StemFolder(url)
            #expect(
                stems.stems.map(\.name).sorted()
                    == [
                        "Drums", "Drums 2", "Drums 3", String(repeating: "a", count: 48) + " 2", long, "drums 4",
                        "stem", "stem 2",
                    ].sorted()
            )
            let reader = try PiecePackageReader(try PiecePackageWriter(try stems.package(length: 1)).bytes())
            #expect(reader.manifest.stems.count == 8)
        }
    }

    @Test("Folders that leave a doubt are refused")
    func refused() throws {
        try folder("a", ["one.wav", "two.wav"]) { url in
            let stems = try StemFolder(url)
            #expect(stems.mix == nil)
            #expect(PiecePackageTests.code { try stems.package(length: 1) } == .stemMissing)
        }
        let many = (0...PieceStem.most).map { "\($0).wav" }
        for files in [["mix.wav", "master.ogg"], ["mix.wav"] + many, ["a.wav", "cover.png", "Cover.PNG"]] {
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
            #expect(PiecePackageTests.code { try StemFolder(url).package(length: 1) } == .pieceInvalid)
            #expect(PiecePackageTests.code { try StemFolder(url.appendingPathComponent("none")) } == .assetNotFound)
        }
    }
}
