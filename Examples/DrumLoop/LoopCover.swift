import EarshotMedia

/// A cover that shows the pattern: a row a drum, a square a sixteenth.
enum LoopCover {
    private static let side = 640
    private static let background: [UInt8] = [0x15, 0x1A, 0x24]
    private static let off: [UInt8] = [0x26, 0x2E, 0x3D]
    private static let colors: [[UInt8]] = [[0xF2, 0x6B, 0x4E], [0xF5, 0xC2, 0x4B], [0x5B, 0xC0, 0xBE]]

    /// The picture as PNG, 640 x 640 pixels.
    static func png(_ pattern: Pattern) throws -> [UInt8] {
        var pixels = Array([[UInt8]](repeating: background, count: side * side).joined())
        // Sixteen squares a row: a bar; the bars of a drum stand below each other.
        let bars = max(1, (pattern.stepCount + 15) / 16)
        let rows = bars * max(1, pattern.lines.count)
        let step = side / 16
        for (line, (_, steps)) in pattern.lines.enumerated() {
            for place in 0..<bars * 16 {
                let isHit = place < steps.count && steps[place]
                let color = isHit ? colors[line % colors.count] : off
                let (x, y) = (place % 16 * step, (line * bars + place / 16) * side / rows)
                for row in y + 4..<min(side, y + side / rows - 4) {
                    for column in x + 4..<x + step - 4 {
                        pixels.replaceSubrange((row * side + column) * 3..<(row * side + column) * 3 + 3, with: color)
                    }
                }
            }
        }
        return try RasterImage(width: side, height: side, pixelFormat: .rgb8, bytes: pixels).pngData()
    }
}
