public import EarshotAPI
public import EarshotCore
import EarshotMusic
public import EarshotRecognition

/// The settings of an operation: the client that asks, and the content and language of answers.
///
/// ```swift
/// var configuration = try ClientConfiguration(clientIdentifier: "12345678-ABCDEFGHIJKLMNOPQRSTUVWXYZ012345")
/// configuration.preferences.coverArt = true
/// try configuration.setValue("jpn", forKey: "content.lang")
/// ```
///
/// An operation keeps the settings that it was begun with. Copies share what the service gave to let them in, so that any
/// number of operations asks for a token once. The secret part of the identifier is in no description.
public struct ClientConfiguration: Sendable, CustomStringConvertible, CustomReflectable {
    /// The identifier of the client that asks.
    public let identifier: ClientIdentifier
    /// The content and language of answers.
    public var preferences = ContentPreferences()
    /// `true` if the identification of albums uses tags.
    public var usesTagData = true
    /// `true` if the identification of albums uses identifiers that files carry.
    public var usesMusicIdentifiers = true
    /// `true` if the identification of albums uses fingerprints of files.
    public var usesFingerprints = true
    /// `true` if operations write a debug log. It has an effect only where the app gave ``RecognitionClient`` a log to
    /// write to, which an app that is delivered does not do.
    public var debugEnabled = false
    /// The user for whom requests are made, as the service serialized it: a secret. None for the client itself.
    public var user: String?
    /// One sentence for each setting that was made by an older name, in order.
    public private(set) var notices: [String] = []

    /// The token of the service, shared by all copies.
    let authentication = Authentication()

    /// Creates a configuration from a client identifier such as `12345678-ABCDEFGHIJKLMNOPQRSTUVWXYZ012345`.
    ///
    /// - Throws: `configurationInvalid` when the text has not the form of one. Whether a service knows it shows when it is
    ///   asked.
    public init(clientIdentifier: String) throws(EarshotError) {
        identifier = try ClientIdentifier(clientIdentifier)
    }

    /// A configuration of an identifier.
    public init(_ identifier: ClientIdentifier) {
        self.identifier = identifier
    }

    /// The id of the client and what differs from the defaults; never the secrets.
    public var description: String {
        let fresh = ClientConfiguration(identifier)
        let changes = ConfigurationKey.allCases.compactMap { key -> String? in
            let value = value(key)
            return value == fresh.value(key) ? nil : "\(key.rawValue)=\(value ?? "")"
        }
        return ([identifier.description] + changes).joined(separator: " ")
    }

    /// The same text as ``description``, without secrets.
    public var customMirror: Mirror { Mirror(self, children: ["configuration": description]) }

    // MARK: - By name

    /// Sets a setting by name; case is ignored. Older names are accepted and recorded in ``notices``.
    ///
    /// Switches take `1` or `true`, and `0` or `false`; levels `DEFAULT` or `EXTENDED`; an empty text clears a country, a
    /// language and a preferred source. A list of sizes with a name that is none counts as the list of all.
    ///
    /// - Throws: `configurationInvalid` for a name that is not known and a value that it cannot have; then nothing has
    ///   changed.
    public mutating func setValue(_ value: String, forKey name: String) throws(EarshotError) {
        guard let (key, isDeprecated) = ConfigurationKey.find(name) else {
            throw EarshotError(
                .configurationInvalid,
                "There is no setting \"\(name.prefix(60))\": see the table of settings in Docs/client.md."
            )
        }
        try set(value, key, named: name)
        if isDeprecated {
            let end = " is now called \(key.rawValue)."
            if !notices.contains(where: { $0.hasSuffix(end) }) { notices.append("The setting \(name)\(end)") }
        }
    }

    private mutating func set(_ value: String, _ key: ConfigurationKey, named name: String) throws(EarshotError) {
        func invalid(_ remedy: String) -> EarshotError {
            EarshotError(.configurationInvalid, "\(name) cannot be \"\(value.prefix(40))\": \(remedy).")
        }
        switch key.kind {
        case .flag(let path):
            switch value {
            case "1", "true", "True": self[keyPath: path] = true
            case "0", "false", "False": self[keyPath: path] = false
            default: throw invalid("say 1 or true, 0 or false")
            }
        case .level(let kind):
            guard let level = DescriptorLevel(rawValue: value.lowercased()) else {
                throw invalid("say DEFAULT or EXTENDED")
            }
            preferences.levels[kind] = level
        case .text:
            switch key {
            case .country: preferences.country = try code(value) { invalid("give an ISO 3166-1 code of three letters") }
            case .language: preferences.language = try code(value) { invalid("give an ISO 639 code of three letters") }
            case .imageSizes: preferences.imageSizes = ImageSize.order(value)
            default: preferences.preferredLinkSource = value.isEmpty ? nil : value
            }
        }
    }

    /// A code of three letters as given: a service uses its default for an unknown one.
    private func code(_ text: String, _ error: () -> EarshotError) throws(EarshotError) -> String? {
        if text.isEmpty { return nil }
        let isCode = text.utf8.count == 3 && text.utf8.allSatisfy { (0x41...0x5A).contains($0 & 0xDF) }
        guard isCode else { throw error() }
        return text
    }

    /// The value of a setting by name, in any case: `true` or `false` for a switch; `nil` if it has no value.
    ///
    /// - Throws: `configurationInvalid` for a name that is not known.
    public func value(forKey name: String) throws(EarshotError) -> String? {
        guard let (key, _) = ConfigurationKey.find(name) else {
            throw EarshotError(
                .configurationInvalid,
                "There is no setting \"\(name.prefix(60))\": see the table of settings in Docs/client.md."
            )
        }
        return value(key)
    }

    /// The value of a setting: `true` or `false` for a switch; `nil` if it has no value.
    public func value(_ key: ConfigurationKey) -> String? {
        switch key.kind {
        case .flag(let path): self[keyPath: path] ? "true" : "false"
        case .level(let kind): preferences.level(kind).rawValue.uppercased()
        case .text:
            switch key {
            case .country: preferences.country
            case .language: preferences.language
            case .imageSizes: preferences.imageSizes.map(\.rawValue).joined(separator: ",")
            default: preferences.preferredLinkSource
            }
        }
    }
}
