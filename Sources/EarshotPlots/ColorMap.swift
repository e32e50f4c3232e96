import Foundation

/// Colors of levels, from near black over blue to a pale green.
///
/// Lightness rises evenly, so equal steps of level look equal and the picture survives printing in gray; reds and
/// yellows are left to what is drawn on top. The idea is that of viridis (Stéfan van der Walt and Nathaniel Smith,
/// 2015): a smooth path through a perceptual color space. Here the path is three polynomials in Oklch, the space of
/// Björn Ottosson (2020), with the chroma kept inside what screens can show.
package enum ColorMap {
    /// A color as a screen takes it.
    package struct Color: Hashable, Sendable {
        package var red: UInt8
        package var green: UInt8
        package var blue: UInt8
    }

    /// 256 colors, for values from 0 to 1.
    package static let table: [Color] = (0..<256).map { color(Double($0) / 255) }

    /// The color of a value from 0 to 1.
    package static func color(_ value: Double) -> Color {
        let t = min(max(value, 0), 1)
        let hue = (285 - 105 * t * t) * .pi / 180
        return color(lightness: lightness(t), chroma: 0.05 + 0.34 * t - 0.32 * t * t, hue: hue)
    }

    /// Returns the lightness of a value's color, from 0 to 1.
    package static func lightness(_ value: Double) -> Double { 0.12 + 0.78 * value }

    private static func color(lightness: Double, chroma: Double, hue: Double) -> Color {
        let (a, b) = (chroma * cos(hue), chroma * sin(hue))
        func cube(_ value: Double) -> Double { value * value * value }
        let long = cube(lightness + 0.3963377774 * a + 0.2158037573 * b)
        let middle = cube(lightness - 0.1055613458 * a - 0.0638541728 * b)
        let short = cube(lightness - 0.0894841775 * a - 1.2914855480 * b)
        return Color(
            red: encoded(4.0767416621 * long - 3.3077115913 * middle + 0.2309699292 * short),
            green: encoded(-1.2684380046 * long + 2.6097574011 * middle - 0.3413193965 * short),
            blue: encoded(-0.0041960863 * long - 0.7034186147 * middle + 1.7076147010 * short)
        )
    }

    /// Linear light as sRGB encodes it.
    private static func encoded(_ linear: Double) -> UInt8 {
        let value = min(max(linear, 0), 1)
        let curved = value <= 0.0031308 ? 12.92 * value : 1.055 * pow(value, 1 / 2.4) - 0.055
        return UInt8((curved * 255).rounded())
    }
}
