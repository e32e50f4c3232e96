import EarshotCore

/// What the app was called with.
struct Arguments: Sendable {
    static let usage = """
        usage: SecondScreen --store FOLDER [--bundle FILE]… [--guide DATABASE] [--server URL --client ID]
                            [--file FILE [--fast] | --pcm RATE | --device NAME] [--optimization MODE] [--verbose]
        """

    private(set) var store = ""
    private(set) var bundles: [String] = []
    private(set) var guide: String?
    private(set) var server: String?
    private(set) var client: String?
    private(set) var file: String?
    private(set) var rate: Int?
    private(set) var device: String?
    private(set) var mode = "default"
    private(set) var isFast = false
    private(set) var isVerbose = false

    /// - Throws: `configurationInvalid` with the usage.
    init(_ words: some Sequence<String>) throws(EarshotError) {
        var words = Array(words)[...]
        func wrong() -> EarshotError { EarshotError(.configurationInvalid, Self.usage) }
        func next() throws(EarshotError) -> String {
            guard let word = words.popFirst() else { throw wrong() }
            return word
        }
        while let word = words.popFirst() {
            switch word {
            case "--store": store = try next()
            case "--bundle": bundles.append(try next())
            case "--guide": guide = try next()
            case "--server": server = try next()
            case "--client": client = try next()
            case "--file": file = try next()
            case "--pcm":
                guard let number = Int(try next()) else { throw wrong() }
                rate = number
            case "--device": device = try next()
            case "--optimization": mode = try next()
            case "--fast": isFast = true
            case "--verbose": isVerbose = true
            default: throw wrong()
            }
        }
        let sources = [file != nil, rate != nil, device != nil].count(where: \.self)
        guard !store.isEmpty, sources <= 1, !isFast || file != nil else { throw wrong() }
    }
}
