extension PlotCaption {
    /// Draws the ground of the picture and what stands above.
    package func draw(on canvas: inout SVGCanvas) {
        let page = PlotFrame(x: 0, y: 0, width: SpectrogramPlot.width, height: SpectrogramPlot.height)
        canvas.rectangle(page, "fill=\"\(PlotStyle.page)\"")
        let room = SpectrogramPlot.width - 2 * PlotPanels.margin
        func line(_ text: String, y: Double, size: Double, fill: String, isBold: Bool = false) {
            canvas.text(
                PlotText.shortened(text, size: size, width: room, isBold: isBold),
                x: PlotPanels.margin,
                y: y,
                size: size,
                "fill=\"\(fill)\"" + (isBold ? " font-weight=\"bold\"" : "")
            )
        }
        // Without details the two lines move together.
        let hasDetails = !details.isEmpty
        line(title, y: hasDetails ? 66 : 82, size: 36, fill: PlotStyle.text, isBold: true)
        if hasDetails { line(details, y: 105, size: 24, fill: PlotStyle.matched) }
        line(subtitle, y: hasDetails ? 139 : 122, size: 19, fill: PlotStyle.quiet)
    }
}
