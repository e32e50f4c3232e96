import EarshotCore
import EarshotPieces
import Foundation
import TestSupport
import Testing

@Suite("Dropping and opening pieces")
struct FlowTests {
    private static let table: [DropState.Phase: Set<DropState.Phase>] = [
        .validating: [.waitingForLogin, .rendering, .failed],
        .waitingForLogin: [.rendering, .cancelled, .failed],
        .rendering: [.uploading, .failed, .cancelled],
        .uploading: [.finishing, .failed, .cancelled],
        .finishing: [.done, .failed],
    ]

    @Test("Only the steps of the table happen", .requirements("R-PC-075"))
    func steps() {
        property("drop", rounds: 300) { generator in
            var state = DropState()
            for _ in 0..<20 {
                let before = state.phase
                let next = DropState.Phase.allCases.randomElement(using: &generator) ?? .done
                let isAllowed = Self.table[before]?.contains(next) == true
                guard state.advance(to: next) == isAllowed, state.phase == (isAllowed ? next : before) else {
                    return false
                }
            }
            return true
        }
        #expect(DropState.Phase.allCases.filter(\.isFinal) == [.done, .failed, .cancelled])
    }

    @Test(
        "An import takes one address of its own, and tells the app once",
        .requirements("R-PC-081", "R-PC-082", "R-PC-085", "R-PC-086")
    )
    func imports() {
        property("import", rounds: 300) { generator in
            let hasReceiver = Bool.random(using: &generator)
            var state = ImportState(hasReceiver: hasReceiver)
            var (fetched, told) = (0, 0)
            for _ in 0..<12 {
                let before = state.phase
                switch Int.random(in: 0..<4, using: &generator) {
                case 0:
                    let id = PieceID()
                    let taken = state.begin(.open(id))
                    guard taken == (before == .waiting && hasReceiver ? id : nil) else { return false }
                    fetched += taken == nil ? 0 : 1
                case 1: guard state.begin(.authorize(code: "c", state: "s")) == nil else { return false }
                case 2: guard state.begin(nil) == nil else { return false }
                default:
                    let isFound = Bool.random(using: &generator)
                    let isTold = state.end(isFound: isFound)
                    guard isTold == (before == .fetching) else { return false }
                    if isTold { guard state.phase == (isFound ? .opened : .failed) else { return false } }
                    told += isTold ? 1 : 0
                }
                guard state.phase == before || before.followers.contains(state.phase) else { return false }
            }
            return fetched <= 1 && told <= fetched
        }
        #expect(ImportState.Phase.allCases.filter(\.isFinal) == [.opened, .failed, .ignored])
    }

    @Test("A scheme is the prefix and the identifier, which has to fit in one", .requirements("R-PC-004", "R-PC-006"))
    func schemes() throws {
        #expect(try PieceScheme(application: "sketcher").name == "piece-sketcher")
        #expect(try PieceScheme(application: "Sketcher.2+a-b").name == "piece-sketcher.2+a-b")
        for name in ["my app", "", "ä", "a/b", "a:b", String(repeating: "a", count: 65)] {
            let error = #expect(throws: EarshotError.self) { try PieceScheme(application: name) }
            #expect(error?.code == .setupInvalid)
        }
    }

    @Test("Addresses of the app are understood, and no others")
    func addresses() throws {
        let scheme = try PieceScheme(application: "sketcher")
        let id = PieceID()
        let own = try #require(scheme.address(opening: id))
        #expect(own.absoluteString == "piece-sketcher://open?id=\(id)")
        #expect(scheme.request(own) == .open(id))
        #expect(try PieceScheme(application: "other").request(own) == nil)
        func request(_ text: String) -> PieceRequest? { URL(string: text).flatMap { scheme.request($0) } }
        #expect(request("PIECE-SKETCHER://OPEN?id=\(id)") == .open(id))
        #expect(request("piece-sketcher://open/?id=\(id)&new=1") == .open(id))
        #expect(request("piece-sketcher://authorize?code=c&state=s") == .authorize(code: "c", state: "s"))
        for text in [
            "https://open?id=\(id)", "piece-sketcher://close?id=\(id)", "piece-sketcher://open",
            "piece-sketcher://open?id=7",
            "piece-sketcher://open?id=\(id)&id=\(id)", "piece-sketcher://open/more?id=\(id)",
            "piece-sketcher:open?id=\(id)",
            "piece-sketcher://user@open?id=\(id)", "piece-sketcher://open:80?id=\(id)",
            "piece-sketcher://authorize?code=c",
            "piece-sketcher://authorize?code=&state=s",
        ] { #expect(request(text) == nil, "\(text)") }
    }

    @Test("Sound has to begin as its format does", .requirements("R-PC-069"))
    func formats() throws {
        let wave = Data("RIFF\0\0\0\0WAVEfmt ".utf8)
        #expect(try AudioBundle(.wave, wave).format == .wave)
        for format in StemFormat.allCases {
            let error = #expect(throws: EarshotError.self) { try AudioBundle(format, Data("This is no sound.".utf8)) }
            #expect(error?.code == .pieceInvalid)
        }
        #expect(throws: EarshotError.self) { try AudioBundle(.oggVorbis, wave) }
        var page = Data("OggS".utf8) + Data(count: 22) + [1, 30]
        #expect(StemFormat(beginOf: page + Data("\u{1}vorbis".utf8)) == .oggVorbis)
        page += Data("OpusHead".utf8)
        #expect(StemFormat(beginOf: page) == nil)
        #expect(StemFormat(beginOf: Data([0, 0, 0, 24]) + Data("ftypM4A ".utf8)) == .aacM4A)
    }

    @Test("Sound and attachments are read from files", .requirements("R-PC-066", "R-PC-069"))
    func files() throws {
        try withTemporaryFolder { folder in
            func file(_ name: String, _ bytes: Data) throws -> URL {
                let file = folder.appendingPathComponent(name)
                try bytes.write(to: file)
                return file
            }
            func code(_ work: () throws -> Void) -> EarshotError.Code? {
                (#expect(throws: EarshotError.self) { try work() })?.code
            }
            let wave = Data("RIFF\0\0\0\0WAVEfmt ".utf8)
            let sound = try AudioBundle(contentsOf: try file("a.wav", wave))
            #expect(sound.format == .wave && sound.bytes == wave)
            let text = try file("b.wav", Data("This is no sound.".utf8))
            #expect(code { _ = try AudioBundle(contentsOf: text) } == .pieceInvalid)
            let empty = try file("c.wav", Data())
            #expect(code { _ = try AudioBundle(contentsOf: empty) } == .pieceInvalid)
            let song = try AttachmentBundle(contentsOf: try file("song.xyz", Data([1, 2])))
            #expect(song.fileName == "song.xyz" && song.bytes == Data([1, 2]))
            let long = try file("long.xyz", Data(count: 30_000_001))
            #expect(code { _ = try AttachmentBundle(contentsOf: long) } == .attachmentTooLarge)
            let none = folder.appendingPathComponent("none")
            #expect(code { _ = try AttachmentBundle(contentsOf: none) } == .assetNotFound)
            #expect(code { _ = try AudioBundle(contentsOf: none) } == .assetNotFound)
            #expect(code { _ = try AudioBundle(contentsOf: folder) } == .assetUnreadable)
        }
    }

    @Test("An attachment has up to 30,000,000 bytes, and a name without folders", .requirements("R-PC-066"))
    func attachments() throws {
        let most = Data(count: 30_000_000)
        #expect(try AttachmentBundle(fileName: "loop.xyz", bytes: most).bytes.count == 30_000_000)
        let error = #expect(throws: EarshotError.self) { try AttachmentBundle(fileName: "loop.xyz", bytes: most + [0]) }
        #expect(error?.code == .attachmentTooLarge)
        for name in ["", "..", ".", "a/b", "a\\b", "a\nb", String(repeating: "a", count: 256)] {
            #expect(throws: EarshotError.self) { try AttachmentBundle(fileName: name, bytes: Data()) }
        }
    }

    @Test("A cover has 640 x 640 pixels, as PNG or JPEG", .requirements("R-PC-062"))
    func covers() throws {
        func png(_ width: UInt32, _ height: UInt32) -> Data {
            var bytes = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]) + Data("IHDR".utf8)
            for value in [width, height] { withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) } }
            return bytes
        }
        #expect(try CoverImage(png(640, 640)).format == .png)
        let jpeg = Data([0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 0, 0, 0xFF, 0xFF, 0xC0, 0, 11, 8, 2, 0x80, 2, 0x80])
        #expect(try CoverImage(jpeg).format == .jpeg)
        for (width, height) in [(639, 640), (640, 641), (1_000, 500)] as [(UInt32, UInt32)] {
            let error = #expect(throws: EarshotError.self) { try CoverImage(png(width, height)) }
            #expect(error?.code == .coverSizeInvalid)
        }
        for length in 0..<24 { #expect(throws: EarshotError.self) { try CoverImage(png(640, 640).prefix(length)) } }
        for length in 0..<jpeg.count { #expect(throws: EarshotError.self) { try CoverImage(jpeg.prefix(length)) } }
    }
}
