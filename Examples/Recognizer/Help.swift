import EarshotClient

/// Help that can be opened over every screen: pictograms, and a demonstration of what happens.
struct Help: Hashable, Sendable {
    /// What is shown.
    enum Page: Hashable, Sendable {
        case pictograms, demonstration
    }

    let page: Page
    /// How far the demonstration has come.
    private(set) var step = 0

    init(_ page: Page) { self.page = page }

    /// Goes on with the demonstration, which begins anew at its end.
    mutating func goOn() { step = (step + 1) % Self.demonstration.count }

    /// The page, line by line.
    var lines: [String] {
        switch page {
        case .pictograms:
            ["How music is recognized best"] + HelpHints.Tip.allCases.map { "  \(Self.pictogram($0))  \($0.text)" }
        case .demonstration:
            ["What happens when music is recognised"] + Self.demonstration[min(step, Self.demonstration.count - 1)]
        }
    }

    /// All that there is, one below the other, for where nothing moves.
    static var everything: [String] {
        var help = Help(.demonstration)
        var lines = Help(.pictograms).lines + [""] + help.lines
        for _ in demonstration.dropFirst() {
            help.goOn()
            lines += help.lines.dropFirst()
        }
        return lines
    }

    /// What a tip looks like, ten characters wide: understood without reading.
    static func pictogram(_ tip: HelpHints.Tip) -> String {
        switch tip {
        case .holdTowardsSource: "[▪] → ◁)))"
        case .louder: "◁)  ◁)))))"
        case .wholeRecording: "[▪] 0…7 s "
        case .lessSpeech: "◁)))  ╳ “”"
        case .publishedRecordings: "◉ ✓  ☻♪ ╳ "
        case .uncoverMicrophone: "[▪]  ╳ ☞  "
        case .waitForMusic: "··· ♪ ♫ ♪ "
        case .useFile: "▤♪ → [▪]  "
        }
    }

    /// The pictures of the demonstration, in order.
    private static let demonstration: [[String]] = [
        ["  1  Music plays.", "     ◁))) ♪          [▪]"],
        ["  2  Hold the device towards it.", "     ◁))) ♪  ←  [▪]"],
        ["  3  The device listens for seven seconds.", "     ◁))) ♪  ←  [▪]  \(Screen.bar(tenths: 3))"],
        ["  3  The device listens for seven seconds.", "     ◁))) ♪  ←  [▪]  \(Screen.bar(tenths: 10))"],
        ["  4  The service is asked: no sound is sent to it.", "     [▪]  ⇄  (?)"],
        ["  5  The music is shown, then its cover.", "     [♪ Artist — Title]"],
    ]
}
