public import EarshotAPI
public import EarshotCore
import EarshotMusic
public import EarshotRecognition

/// The settings of an operation: the client that makes the request, and the content and language of the results.
///
/// ```swift
/// var configuration = try ClientConfiguration(clientIdentifier: "12345678-ABCDEFGHIJKLMNOPQRSTUVWXYZ012345")
/// configuration.preferences.coverArt = true
/// try configuration.setValue("jpn", forKey: "content.lang")
/// ```
///
/// An operation keeps the settings that it was started with. Copies share the access token of the service, so that any
/// number of operations requests a token once. Descriptions do not contain the secret part of the identifier.
public struct ClientConfiguration: Sendable, CustomStringConvertible, CustomReflectable {
    /// The identifier of the client that makes requests.
    public let identifier: ClientIdentifier
    /// The content and language of results.
    public var preferences = ContentPreferences()
    /// `true` if the identification of albums uses tags.
    public var usesTagData = true
    /// `true` if the identification of albums uses music identifiers stored in files, such as MusicBrainz identifiers
    /// and ISRCs.
    public var usesMusicIdentifiers = true
    /// `true` if the identification of albums uses fingerprints of files.
    public var usesFingerprints = true
    /// `true` if operations write a debug log. It has no effect unless ``RecognitionClient`` was created with a debug
    /// log; released apps omit that.
    public var debugEnabled = false
    /// The user on whose behalf requests are made, in the service's serialized form: a secret. `nil` for requests of
    /// the client itself.
    public var user: String?
    /// One sentence for each setting that was set by a deprecated name, in the order of the calls.
    public private(set) var notices: [String] = []

    /// The token of the service, shared by all copies.
    let authentication = Authentication()

    /// Creates a configuration from a client identifier such as `12345678-ABCDEFGHIJKLMNOPQRSTUVWXYZ012345`.
    ///
    /// - Throws: `configurationInvalid` if the text does not have that form. The service checks whether it knows the
    ///   identifier at the first request.
    public init(clientIdentifier: String) throws(EarshotError) {
        identifier = try ClientIdentifier(clientIdentifier)
    }

    /// Creates a configuration for a client identifier, with default settings.
    public init(_ identifier: ClientIdentifier) {
        self.identifier = identifier
    }

    /// The identifier of the client without its secret, and each setting that differs from its default, as
    /// `name=value`.
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

    /// Sets a setting by name; case is ignored. Deprecated names are accepted and recorded in ``notices``.
    ///
    /// A switch takes `1` or `true`, and `0` or `false`. A level takes `DEFAULT` or `EXTENDED`. An empty text clears a
    /// country, a language or a preferred source. A list of image sizes that contains an unknown name counts as the
    /// list of all sizes.
    ///
    /// - Throws: `configurationInvalid` for an unknown name or an invalid value; the configuration is unchanged then.
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

    /// Returns the value of a setting by name, in any case: `true` or `false` for a switch, `nil` if the setting has no
    /// value.
    ///
    /// - Throws: `configurationInvalid` for an unknown name.
    public func value(forKey name: String) throws(EarshotError) -> String? {
        guard let (key, _) = ConfigurationKey.find(name) else {
            throw EarshotError(
                .configurationInvalid,
                "There is no setting \"\(name.prefix(60))\": see the table of settings in Docs/client.md."
            )
        }
        return value(key)
    }

    /// Returns the value of a setting: `true` or `false` for a switch, `nil` if the setting has no value.
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
