public import EarshotCore
import EarshotMusic
public import EarshotRecognition

extension ContentPreferences {
    /// The query parameters that encode the preferences. Preferences with their default values are left out.
    public var parameters: [(name: String, value: String)] {
        let standard = ContentPreferences()
        var list: [(name: String, value: String)] = []
        if let country { list.append(("country", country)) }
        if let language { list.append(("lang", language)) }
        for (name, path) in Self.switches where self[keyPath: path] != standard[keyPath: path] {
            list.append((name, self[keyPath: path] ? "1" : "0"))
        }
        if imageSizes != standard.imageSizes {
            list.append(("sizes", imageSizes.map(\.rawValue).joined(separator: ",")))
        }
        for kind in DescriptorKind.allCases where level(kind) != .default {
            list.append(("\(kind.rawValue)Level", level(kind).rawValue.uppercased()))
        }
        if let preferredLinkSource { list.append(("preferredSource", preferredLinkSource)) }
        return list
    }

    /// The names of all query parameters that encode preferences.
    public static var parameterNames: [String] {
        ["country", "lang"] + switches.map(\.name) + ["sizes"] + DescriptorKind.allCases.map { "\($0.rawValue)Level" }
            + ["preferredSource"]
    }

    /// Decodes preferences from query parameters. Names that are not in ``parameterNames`` are ignored. An unknown
    /// country or language is ignored too.
    ///
    /// - Throws: `requestInvalid` for a switch that is not `1`, `true`, `0` or `false`, or a level that is not
    ///   `DEFAULT` or `EXTENDED`.
    public init(parameters: some Sequence<(name: String, value: String)>) throws(EarshotError) {
        self.init()
        for (name, value) in parameters {
            if let path = Self.switches.first(where: { $0.name == name })?.path {
                guard let isOn = Self.isOn(value) else {
                    throw EarshotError(.requestInvalid, "\(name) is \"\(value.prefix(40))\": say 1 or 0.")
                }
                self[keyPath: path] = isOn
                continue
            }
            switch name {
            case "country": country = value.isEmpty ? nil : ISOCodes.country(value)
            case "lang": language = value.isEmpty ? nil : ISOCodes.language(value)
            case "sizes": imageSizes = ImageSize.order(value)
            case "preferredSource": preferredLinkSource = value.isEmpty ? nil : value
            default:
                guard name.hasSuffix("Level"), let kind = DescriptorKind(rawValue: String(name.dropLast(5))) else {
                    continue
                }
                guard let level = DescriptorLevel(rawValue: value.lowercased()) else {
                    throw EarshotError(.requestInvalid, "\(name) is \"\(value.prefix(40))\": say DEFAULT or EXTENDED.")
                }
                levels[kind] = level
            }
        }
    }

    private static func isOn(_ text: String) -> Bool? {
        switch text.lowercased() {
        case "1", "true": true
        case "0", "false": false
        default: nil
        }
    }

    private static var switches: [(name: String, path: WritableKeyPath<ContentPreferences, Bool>)] {
        [
            ("coverArt", \.coverArt), ("genreArt", \.genreArt), ("artistImages", \.artistImages),
            ("biography", \.biography), ("review", \.review), ("mood", \.mood), ("tempo", \.tempo),
            ("origin", \.origin), ("era", \.era), ("artistType", \.artistType), ("single", \.singleBestMatch),
        ]
    }
}
