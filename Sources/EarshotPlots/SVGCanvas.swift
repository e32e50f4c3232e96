/// Writes the elements of an SVG document.
package struct SVGCanvas {
    /// The position of text relative to its place.
    package enum Anchor: String {
        case start
        case middle
        case end
    }

    private var text: String

    package init(width: Double, height: Double, title: String) {
        let (w, h) = (Self.number(width), Self.number(height))
        text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" \
            width="\(w)" height="\(h)" viewBox="0 0 \(w) \(h)" role="img" font-family="\(PlotText.fonts)">
            <title>\(PlotText.escaped(title))</title>

            """
    }

    /// The whole document, in UTF-8.
    package var document: [UInt8] { Array((text + "</svg>\n").utf8) }

    /// A number with at most two decimals and no needless zeros.
    package static func number(_ value: Double) -> String {
        guard value.isFinite, abs(value) < 1e9 else { return "0" }
        let hundredths = Int((value * 100).rounded())
        let (whole, part) = hundredths.magnitude.quotientAndRemainder(dividingBy: 100)
        let sign = hundredths < 0 ? "-" : ""
        guard part > 0 else { return "\(sign)\(whole)" }
        guard !part.isMultiple(of: 10) else { return "\(sign)\(whole).\(part / 10)" }
        return "\(sign)\(whole).\(part < 10 ? "0" : "")\(part)"
    }

    /// Opens a group whose members share attributes, which stand as they are in XML.
    package mutating func group(_ attributes: String, _ body: (inout SVGCanvas) -> Void) {
        text += "<g \(attributes)>\n"
        body(&self)
        text += "</g>\n"
    }

    package mutating func rectangle(_ frame: PlotFrame, _ attributes: String) {
        text += "<rect \(Self.place(frame)) \(attributes)/>\n"
    }

    /// Keeps what refers to it by name within a frame.
    package mutating func clip(_ frame: PlotFrame, name: String) {
        text += "<clipPath id=\"\(name)\"><rect \(Self.place(frame))/></clipPath>\n"
    }

    package mutating func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ attributes: String = "") {
        let (start, end) = ("\(Self.number(x1)),\(Self.number(y1))", "\(Self.number(x2)),\(Self.number(y2))")
        text += "<path d=\"M\(start)L\(end)\" \(attributes)/>\n"
    }

    /// An area that straight lines go around.
    package mutating func area(_ corners: [(x: Double, y: Double)], _ attributes: String) {
        guard !corners.isEmpty else { return }
        let places = corners.map { "\(Self.number($0.x)),\(Self.number($0.y))" }
        text += "<path d=\"M\(places.joined(separator: "L"))Z\" \(attributes)/>\n"
    }

    package mutating func circle(_ x: Double, _ y: Double, radius: Double, _ attributes: String = "") {
        text += "<circle cx=\"\(Self.number(x))\" cy=\"\(Self.number(y))\" r=\"\(Self.number(radius))\" "
        text += "\(attributes)/>\n"
    }

    /// Round dots in one element: lines of no length with round ends.
    package mutating func dots(_ places: [(x: Double, y: Double)], diameter: Double, _ attributes: String) {
        let path = places.map { "M\(Self.number($0.x)),\(Self.number($0.y))h0" }.joined()
        text += "<path d=\"\(path)\" fill=\"none\" stroke-linecap=\"round\" "
        text += "stroke-width=\"\(Self.number(diameter))\" \(attributes)/>\n"
    }

    /// A PNG picture, stretched over a frame.
    package mutating func image(base64 data: String, _ frame: PlotFrame) {
        text += "<image \(Self.place(frame)) preserveAspectRatio=\"none\" "
        text += "xlink:href=\"data:image/png;base64,\(data)\"/>\n"
    }

    package mutating func text(
        _ string: String,
        x: Double,
        y: Double,
        size: Double,
        anchor: Anchor = .start,
        turned: Bool = false,
        _ attributes: String = ""
    ) {
        let turn = turned ? "transform=\"rotate(-90 \(Self.number(x)) \(Self.number(y)))\" " : ""
        text += "<text x=\"\(Self.number(x))\" y=\"\(Self.number(y))\" font-size=\"\(Self.number(size))\" "
        text += "text-anchor=\"\(anchor.rawValue)\" \(turn)\(attributes)>\(PlotText.escaped(string))</text>\n"
    }

    private static func place(_ frame: PlotFrame) -> String {
        "x=\"\(number(frame.x))\" y=\"\(number(frame.y))\" width=\"\(number(frame.width))\" "
            + "height=\"\(number(frame.height))\""
    }
}
