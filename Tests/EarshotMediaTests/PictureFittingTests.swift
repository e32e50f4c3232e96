import EarshotCore
import EarshotMedia
import TestSupport
import Testing

@Suite("Pictures in a square")
struct PictureFittingTests {
    private static let red: [UInt8] = [200, 40, 20, 255]

    private func flat(_ width: Int, _ height: Int) -> RasterImage {
        PictureFiles.image(width, height) { _, _ in Self.red }
    }

    @Test("Type and size are read from the first bytes", .enabled(if: PictureFiles.canMake))
    func headers() throws {
        var seen: Set<String> = []
        for type in PictureFiles.types {
            guard let bytes = try PictureFiles.file(flat(37, 22), type) else { continue }
            let header = try PictureHeader(of: bytes)
            #expect(header.mimeType == (type == "jpg" ? "image/jpeg" : "image/\(type)"))
            #expect((header.width, header.height) == (37, 22))
            seen.insert(type)
        }
        #expect(seen.isSuperset(of: ["jpg", "png", "gif", "bmp"]))
    }

    /// The three forms of WebP, by the layout of their first bytes.
    @Test("Sizes of WebP files in each of their forms")
    func webP() throws {
        func file(_ form: String, _ rest: [UInt8]) -> [UInt8] {
            Array("RIFF".utf8) + [0, 1, 0, 0] + Array("WEBP\(form)".utf8) + [0, 1, 0, 0] + rest
        }
        let lossy = try PictureHeader(of: file("VP8 ", [0, 0, 0, 0x9D, 0x01, 0x2A, 0x40, 0x01, 0xF0, 0x40]))
        #expect((lossy.width, lossy.height) == (320, 240))
        let bits = UInt32(319) | UInt32(239) << 14
        let lossless = try PictureHeader(of: file("VP8L", [0x2F] + (0..<4).map { UInt8(bits >> ($0 * 8) & 0xFF) }))
        #expect((lossless.width, lossless.height) == (320, 240))
        let extended = try PictureHeader(of: file("VP8X", [0, 0, 0, 0, 0x3F, 0x01, 0, 0xEF, 0, 0]))
        #expect((extended.width, extended.height) == (320, 240))
        #expect(extended.mimeType == "image/webp")
    }

    @Test("A thumbnail has a longer side of 75 pixels", .requirements("R-MC-170"))
    func thumbnail() async throws {
        for (width, height) in [(300, 200), (90, 150), (12, 12), (75, 75), (400, 3)] {
            let png = try await PictureFitting(side: 75, hasMargins: false).png(of: flat(width, height).pngData())
            let header = try PictureHeader(of: png)
            #expect(max(header.width, header.height) == 75)
            let square = try await PictureFitting(side: 75).png(of: flat(width, height).pngData())
            let whole = try PictureHeader(of: square)
            #expect((whole.width, whole.height) == (75, 75))
        }
    }

    @Test("Wide, tall and square pictures keep their proportion", .requirements("R-MC-171"))
    func proportion() throws {
        for side in [32, 75, 160] {
            let fitting = PictureFitting(side: side, hasMargins: false)
            let wide = try fitting.image(of: flat(240, 120).pngData())
            #expect(
                (wide.width, wide.height) == (side, side / 2) || (wide.width, wide.height) == (side, (side + 1) / 2)
            )
            let tall = try fitting.image(of: flat(60, 240).pngData())
            #expect(tall.height == side)
            #expect(abs(tall.width * 4 - side) <= 2)
            let square = try fitting.image(of: flat(50, 50).pngData())
            #expect((square.width, square.height) == (side, side))
        }
    }

    @Test("Margins are transparent, and the picture stands in the middle", .requirements("R-MC-172"))
    func margins() throws {
        let image = try PictureFitting(side: 40).image(of: flat(80, 40).pngData())
        #expect((image.width, image.height) == (40, 40))
        for y in 0..<40 {
            let expected = (10..<30).contains(y) ? Self.red.map(Int.init) : [0, 0, 0, 0]
            #expect((0..<40).allSatisfy { image.pixel($0, y) == expected }, "row \(y)")
        }
        let tall = try PictureFitting(side: 40).image(of: flat(10, 40).pngData())
        #expect((tall.width, tall.height) == (40, 40))
        for x in 0..<40 {
            let expected = (15..<25).contains(x) ? Self.red.map(Int.init) : [0, 0, 0, 0]
            #expect((0..<40).allSatisfy { tall.pixel(x, $0) == expected }, "column \(x)")
        }
    }

    @Test("Colours stay in every type of file", .enabled(if: PictureFiles.canMake))
    func colors() throws {
        for type in PictureFiles.types {
            guard let bytes = try PictureFiles.file(flat(64, 48), type) else { continue }
            for side in [16, 64, 100] {
                let image = try PictureFitting(side: side, hasMargins: false).image(of: bytes)
                let pixel = image.pixel(side / 2, image.height / 2)
                // JPEG and WebP lose something; the palette of this GIF makes its color of several.
                let allowed = ["png": 0, "bmp": 0, "gif": 60][type] ?? 6
                #expect(zip(pixel, Self.red).allSatisfy { abs($0 - Int($1)) <= allowed }, "\(type) \(side): \(pixel)")
            }
        }
    }

    @Test("Transparent neighbours, whatever their color, make no dark fringes")
    func fringes() throws {
        let half = PictureFiles.image(64, 64) { x, _ in x < 31 ? [255, 255, 255, 255] : [0, 0, 0, 0] }
        let image = try PictureFitting(side: 20).image(of: half.pngData())
        var partial = 0
        for y in 0..<20 {
            for x in 0..<20 {
                let pixel = image.pixel(x, y)
                if pixel[3] > 0 { #expect(pixel[0..<3].allSatisfy { $0 >= 254 }, "\(pixel)") }
                if (1..<255).contains(pixel[3]) { partial += 1 }
            }
        }
        #expect(partial > 0)
    }

    @Test("Fine patterns become their mean, and gradients keep their order")
    func quality() throws {
        let board = PictureFiles.image(96, 96) { x, y in (x + y) % 2 == 0 ? [255, 255, 255, 255] : [0, 0, 0, 255] }
        let gray = try PictureFitting(side: 24).image(of: board.pngData())
        for y in 4..<20 { for x in 4..<20 { #expect(abs(gray.pixel(x, y)[0] - 128) <= 2) } }
        let ramp = PictureFiles.image(128, 4) { x, _ in [UInt8(x * 2), 0, 0, 255] }
        let small = try PictureFitting(side: 32, hasMargins: false).image(of: ramp.pngData())
        #expect((1..<32).allSatisfy { small.pixel($0, 0)[0] > small.pixel($0 - 1, 0)[0] })
    }

    @Test("What is too large is refused before it is decoded")
    func limits() throws {
        func png(_ width: UInt32, _ height: UInt32) -> [UInt8] {
            let size = [width, height].flatMap { number in (0..<4).map { UInt8(number >> (24 - $0 * 8) & 0xFF) } }
            return [0x89] + Array("PNG\r\n\u{1A}\n".utf8) + [0, 0, 0, 13] + Array("IHDR".utf8) + size + [8, 6, 0, 0, 0]
        }
        for (width, height) in [(8_001, 8_000), (65_536, 1), (4_000_000_000, 4_000_000_000)] as [(UInt32, UInt32)] {
            #expect(try PictureHeader(of: png(width, height)).width == Int(width))
            let error = #expect(throws: EarshotError.self) {
                try PictureFitting(side: 75).image(of: png(width, height))
            }
            #expect(error?.code == .assetUnreadable)
            #expect(error?.message.contains("64 million") == true)
        }
        let heavy = try flat(4, 4).pngData() + [UInt8](repeating: 0, count: 32_000_000)
        let error = #expect(throws: EarshotError.self) { try PictureFitting(side: 75).image(of: heavy) }
        #expect(error?.message.contains("32000000 are allowed") == true)
    }

    @Test(
        "What is no picture is refused",
        arguments: [[], [0xFF, 0xD8, 0xFF], Array("GIF89a".utf8), Array("hello".utf8)]
    )
    func noPicture(bytes: [UInt8]) async {
        let error = await #expect(throws: EarshotError.self) { try await PictureFitting(side: 75).png(of: bytes) }
        #expect(error?.code == .assetUnreadable)
    }

    @Test("Sides are 1 to 2,048 pixels")
    func sides() throws {
        #expect(PictureFitting(side: 0).side == 1)
        #expect(PictureFitting(side: 1_000_000).side == 2_048)
        let image = try PictureFitting(side: 1).image(of: flat(3, 2).pngData())
        #expect(image.pixel(0, 0) == Self.red.map(Int.init))
    }

    @Test("A canceled task is told so")
    func cancelling() async throws {
        let bytes = try flat(64, 64).pngData()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await PictureFitting(side: 75).png(of: bytes)
        }
        let error = await #expect(throws: EarshotError.self) { try await task.value }
        #expect(error?.code == .cancelled)
    }

    // MARK: - Damage

    private func outcome(_ bytes: [UInt8]) -> String {
        do throws(EarshotError) {
            let header = try PictureHeader(of: bytes)
            // Unoptimized, large pictures take long; their limits are tested by themselves.
            guard header.width * header.height <= 1_000_000 else { return "large" }
            let image = try PictureFitting(side: 24).image(of: bytes)
            return image.width == 24 && image.height == 24 ? "read" : "of another size"
        } catch {
            return error.code == .assetUnreadable ? "refused" : "\(error.code)"
        }
    }

    @Test("Truncated and changed files are read or refused", .enabled(if: PictureFiles.canMake))
    func damage() throws {
        let noisy = PictureFiles.image(48, 32) { x, y in
            [UInt8(x * 5), UInt8(y * 7), UInt8((x * y) % 256), UInt8(255 - x)]
        }
        let files = try PictureFiles.types.compactMap { try PictureFiles.file(noisy, $0) }
        var outcomes: [String: Int] = [:]
        for bytes in files {
            for length in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 40)) {
                outcomes[outcome(Array(bytes.prefix(length))), default: 0] += 1
            }
        }
        property("damaged pictures", rounds: 600) { generator in
            let bytes = files[Int.random(in: 0..<files.count, using: &generator)]
            let result = outcome(generator.mutated(bytes))
            outcomes[result, default: 0] += 1
            return ["read", "refused", "large"].contains(result)
        }
        #expect(Set(outcomes.keys).isSubset(of: ["read", "refused", "large"]), "\(outcomes)")
        // Both must occur, or the test proves nothing.
        #expect(outcomes["read", default: 0] > 10 && outcomes["refused", default: 0] > 10)
    }
}
