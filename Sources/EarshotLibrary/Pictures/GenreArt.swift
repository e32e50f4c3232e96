import EarshotMedia
import Foundation

/// A square with a sound wave as bars, whose colors and shape follow from the name of a genre.
struct GenreArt {
    private static let barCount = 15

    /// The two ends of the ground's gradient, red, green and blue from 0 to 1.
    private let top, bottom: SIMD3<Double>
    /// The heights of the bars, as shares of the side.
    private let bars: [Double]

    init(_ genre: String) {
        // FNV-1a: the same on every machine, unlike Swift's own.
        var state: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in genre.utf8 { state = (state ^ UInt64(byte)) &* 0x100_0000_01B3 }
        func next() -> Double {
            // The step of SplitMix64.
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return Double((mixed ^ (mixed >> 31)) >> 11) / Double(1 << 53)
        }
        let hue = next()
        top = Self.color(hue: hue, saturation: 0.55, value: 0.62)
        bottom = Self.color(hue: hue + 0.08 + 0.12 * next(), saturation: 0.7, value: 0.3)
        let (waves, phase) = (1 + (next() * 3).rounded(.down), next() * 2 * .pi)
        var bars: [Double] = []
        for index in 0..<Self.barCount {
            let place = Double(index) / Double(Self.barCount - 1)
            let swell = 0.5 + 0.5 * sin(phase + place * 2 * .pi * waves)
            // Low at both ends, as a phrase is.
            bars.append((0.12 + 0.5 * swell * (0.6 + 0.4 * next())) * (0.4 + 0.6 * sin(place * .pi)))
        }
        self.bars = bars
    }

    func image(side: Int) -> RasterImage {
        var bytes = [UInt8](repeating: 255, count: side * side * 4)
        let scale = Double(side)
        let (margin, pitch) = (0.14 * scale, 0.72 * scale / Double(Self.barCount))
        let half = pitch * 0.32
        for row in 0..<side {
            let height = (Double(row) + 0.5) / scale
            let ground = top + (bottom - top) * height
            for column in 0..<side {
                let x = Double(column) + 0.5 - margin
                let bar = min(max(Int((x / pitch).rounded(.down)), 0), Self.barCount - 1)
                // The distance to the bar, a line with round ends, gives edges without steps.
                let across = abs(x - (Double(bar) + 0.5) * pitch)
                let along = max(0, abs(Double(row) + 0.5 - scale / 2) - max(0, bars[bar] * scale / 2 - half))
                let cover = min(1, max(0, half + 0.5 - (across * across + along * along).squareRoot()))
                let color = ground + (SIMD3(repeating: 1) - ground) * (0.88 * cover)
                let place = (row * side + column) * 4
                for part in 0..<3 { bytes[place + part] = UInt8(min(255, max(0, (color[part] * 255).rounded()))) }
            }
        }
        return RasterImage(width: side, height: side, pixelFormat: .rgba8, bytes: bytes)
    }

    private static func color(hue: Double, saturation: Double, value: Double) -> SIMD3<Double> {
        func part(_ offset: Double) -> Double {
            let place = (offset + hue.truncatingRemainder(dividingBy: 1) * 6).truncatingRemainder(dividingBy: 6)
            return value - value * saturation * max(0, min(place, 4 - place, 1))
        }
        return SIMD3(part(5), part(3), part(1))
    }
}
