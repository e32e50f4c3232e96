import EarshotAPI
import EarshotCore
import EarshotPieces
import Foundation
import TestSupport
import Testing

@testable import ServiceCommands

@Suite("Parts of earshot piece")
struct PiecePartsTests {
    /// What would clear the terminal.
    private static let control = "\u{1B}[2J"

    @Test(
        "loops are exact to the microsecond",
        arguments: [
            ("0-8", 0, 8_000_000), ("0.000001-0.123457", 1, 123_457), ("1:02.5-1:10.333333", 62_500_000, 70_333_333),
        ]
    )
    func loops(text: String, start: Int, end: Int) throws {
        let markers = try #require(LoopArgument(argument: text)).markers(length: 90_000_000)
        #expect(markers == LoopMarkers(start: Microseconds(Int64(start)), end: Microseconds(Int64(end))))
    }

    @Test("what is no loop is refused", arguments: ["5-1e300", "1e300-2e300", "5", "5-", "-5", "a-b", "5-9.3e12"])
    func noLoops(text: String) {
        #expect(LoopArgument(argument: text) == nil)
    }

    @Test("the whole piece is a loop, too")
    func whole() throws {
        let markers = try #require(LoopArgument(argument: "all")).markers(length: 1_234_567)
        #expect(markers == LoopMarkers(start: 0, end: 1_234_567))
    }

    @Test("numbers have no more decimals than they need, however large they are")
    func numbers() {
        #expect(PieceText.number(120) == "120" && PieceText.number(92.5) == "92.5")
        #expect(PieceText.number(999.999) == "999.999" && PieceText.number(1) == "1")
        #expect(PieceText.number(1e300).hasPrefix("1000") && !PieceText.number(1e300).contains("."))
        #expect(PieceText.number(.nan) == "nan" && PieceText.number(.infinity) == "inf")
    }

    @Test("what a service says of a piece does not steer the terminal")
    func piece() throws {
        let address = try #require(URL(string: "https://pieces.example/1"))
        let piece = Piece(
            id: PieceID(),
            draft: try PieceSamples.full(),
            description: "Says\(Self.control)",
            createdAt: PieceSamples.evening,
            address: address,
            author: "Eve\(Self.control)",
            attachmentName: "song\(Self.control)",
            stems: ["Drums\(Self.control)"]
        )
        // A draft has no such title; a service may tell of one.
        let data = try ServiceAPI.encoder().encode(piece)
        var fields = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        fields["title"] = "Title\(Self.control)"
        fields["label"] = "Key\(Self.control)"
        let told = try ServiceAPI.decoder().decode(
            Piece.self,
            from: JSONSerialization.data(withJSONObject: fields)
        )
        let text = (PieceText.lines(told) + [PieceText.line(told)]).joined(separator: "\n")
        #expect(!text.contains(Self.control))
        for name in ["Title", "Eve", "Says", "song", "Drums", "Key"] {
            #expect(text.contains("\(name)\\u{1B}[2J"), "\(name)")
        }
    }

    @Test("neither does what a package says")
    func package() throws {
        let sound = try AudioBundle(.wave, Data("RIFF\0\0\0\0WAVEfmt ".utf8))
        let package = PiecePackage(
            draft: try PieceSamples.draft("Right\u{202E}left"),
            description: "Says\(Self.control)",
            author: "Eve\(Self.control)",
            mix: PackagedAudio(sound),
            stems: [PieceStem(name: "Drums", sound: PackagedAudio(sound))],
            attachment: try AttachmentBundle(fileName: "song.proj", bytes: Data(count: 2_000))
        )
        let lines = PieceText.lines(try PiecePackageWriter(package).manifest, package.draft)
        let text = lines.joined(separator: "\n")
        #expect(!text.contains(Self.control) && text.contains("Eve\\u{1B}[2J") && text.contains("Says\\u{1B}[2J"))
        #expect(text.contains("Right\\u{202E}left"))
        #expect(text.contains("wave") && text.contains("Drums") && text.contains("song.proj, 2.0 kB"))
    }

    @Test("what a recording becomes on its way is for its owner alone, and goes")
    func intake() throws {
        var intake: PieceImporter? = try PieceImporter()
        let folder = try #require(intake?.folder)
        let rights = try FileManager.default.attributesOfItem(atPath: folder.path)[.posixPermissions] as? Int
        #expect(rights == 0o700)
        intake = nil
        #expect(!FileManager.default.fileExists(atPath: folder.path))
    }

    @Test("a desktop's list of associations loses one entry and nothing else")
    func associations() throws {
        let handler = SchemeHandler(try PieceScheme(application: "sketcher"), environment: ["HOME": "/home/ada"])
        #expect(handler.lists.map(\.path).first == "/home/ada/.config/mimeapps.list")
        let list = """
            [Default Applications]
            x-scheme-handler/piece-sketcher=earshot-piece-sketcher.desktop
            text/html=browser.desktop

            [Added Associations]
            x-scheme-handler/piece-sketcher=other.desktop;earshot-piece-sketcher.desktop;
            x-scheme-handler/piece-singer=earshot-piece-sketcher.desktop

            """
        let rest = """
            [Default Applications]
            text/html=browser.desktop

            [Added Associations]
            x-scheme-handler/piece-sketcher=other.desktop;
            x-scheme-handler/piece-singer=earshot-piece-sketcher.desktop

            """
        #expect(handler.rest(of: list) == rest)
        #expect(handler.rest(of: rest) == nil)
    }

    @Test("a program beside the caller is named by its whole path, and must be one")
    func program() throws {
        let depth = FileManager.default.currentDirectoryPath.split(separator: "/").count
        let found = try SchemeHandler.program(String(repeating: "../", count: depth) + "bin/sh")
        #expect(found.hasPrefix("/") && found.hasSuffix("/bin/sh") && !found.contains(".."))
        #expect(try SchemeHandler.program("sketcher") == "sketcher")
        #expect(try SchemeHandler.program("/opt/sketcher") == "/opt/sketcher")
        for name in ["./none at all", "../"] {
            let error = #expect(throws: EarshotError.self) { try SchemeHandler.program(name) }
            #expect(error?.code == .setupInvalid)
        }
    }
}
