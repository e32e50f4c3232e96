package import EarshotCatalogs
package import EarshotCore

/// The text above the picture: the answer, its details, and the question.
package struct PlotCaption: Hashable, Sendable {
    package var title: String
    /// A second line; empty when there is nothing to say.
    package var details = ""
    package var subtitle: String

    /// For a clip that was found.
    ///
    /// - Parameters:
    ///   - name: A title, or the reference's name.
    ///   - artist: The artist; `nil` if unknown.
    ///   - match: The position, speed, pitch and confidence of the match.
    ///   - start: The time in the clip at which the part that was found begins; stated if it is not the beginning.
    ///   - file: The name of the clip.
    ///   - duration: The duration of the clip.
    package static func found(
        _ name: String,
        artist: String?,
        match: Placement,
        from start: MediaTime = .zero,
        file: String,
        duration: MediaTime
    ) -> PlotCaption {
        let names = [name, artist ?? ""].filter { !$0.isEmpty }
        let part = start > .zero ? "\(PlotText.clock(start.seconds, decimals: 1)) in the clip is " : ""
        let details = [
            "\(part)at \(PlotText.clock(match.offset.seconds, decimals: 3))",
            "speed \(PlotText.change(match.speedSkew))",
            "pitch \(PlotText.change(match.pitchSkew))",
            // Rounded down, so that only certainty itself reads 1.00.
            "confidence \(PlotText.fixed((match.confidence * 100).rounded(.down) / 100, decimals: 2))",
        ]
        return PlotCaption(
            title: names.joined(separator: " — "),
            details: details.joined(separator: " · "),
            subtitle: subtitle(file, duration)
        )
    }

    /// For a clip that was looked for in vain.
    package static func nothing(file: String, duration: MediaTime) -> PlotCaption {
        PlotCaption(title: "Nothing matched", subtitle: subtitle(file, duration))
    }

    /// For a clip that was not looked for.
    package static func plain(file: String, duration: MediaTime) -> PlotCaption {
        PlotCaption(title: file, subtitle: PlotText.clock(duration.seconds, decimals: 1))
    }

    private static func subtitle(_ file: String, _ duration: MediaTime) -> String {
        "\(PlotText.shortened(file, size: 1, width: 80)) · \(PlotText.clock(duration.seconds, decimals: 1))"
    }
}
