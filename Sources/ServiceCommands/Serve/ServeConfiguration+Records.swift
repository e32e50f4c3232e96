import Configuration
import EarshotPostgreSQL
import EarshotRecognition
import EarshotServer
import Foundation

extension ServeConfiguration {
    /// The settings as the operator reads them, in order of names.
    ///
    /// - Parameter settings: The settings with which the service runs.
    func records(_ settings: ServiceSettings) -> [SettingRecord] {
        Key.allCases.sorted { $0.rawValue < $1.rawValue }.map { key in
            let given = self.given(key)
            // What the service has made of a number counts, where it has: open files may bound the connections.
            let value = Self.computed(key, settings) ?? given?.value ?? Self.standard(key, settings)
            return SettingRecord(
                name: key.rawValue,
                variable: Self.variable(key),
                value: value.map(Self.withoutSecrets),
                source: given?.source ?? .standard
            )
        }
    }

    /// The value of a setting as it was given, and by what; `nil` if it was not.
    private func given(_ key: Key) -> (source: SettingRecord.Source, value: String)? {
        let name = ConfigKey([key.rawValue])
        for (source, reader) in sources {
            let value =
                reader.string(forKey: name) ?? reader.int(forKey: name).map { String($0) }
                ?? reader.stringArray(forKey: name)?.joined(separator: ", ")
            if let value { return (source, value) }
        }
        return nil
    }

    /// The value of a whole number or a time, as the service has it; `nil` for other settings.
    private static func computed(_ key: Key, _ settings: ServiceSettings) -> String? {
        if let number = numbers.first(where: { $0.0 == key }) { return String(settings[keyPath: number.1]) }
        if let time = times.first(where: { $0.0 == key }) {
            return String(settings[keyPath: time.1].components.seconds)
        }
        return nil
    }

    /// The value of a setting that was not given; `nil` for none.
    private static func standard(_ key: Key, _ settings: ServiceSettings) -> String? {
        switch key {
        case .host: settings.host
        case .operationsHost: settings.operationsPort == nil ? nil : settings.operationsHost
        case .logFormat: "text"
        case .logLevel: "info"
        case .criteria: settings.criteria.map(\.rawValue).joined(separator: ", ")
        case .coverArtAccess: settings.coverArtAccess.rawValue
        case .pages: settings.pages.rawValue
        default: nil
        }
    }

    /// The variable of a setting: `EARSHOT_PUBLIC_URL` of `publicURL`.
    private static func variable(_ key: Key) -> String {
        var name = "EARSHOT_"
        var before: Character?
        for character in key.rawValue {
            if character.isUppercase, before?.isLowercase ?? false { name += "_" }
            name += character.uppercased()
            before = character
        }
        return name
    }

    /// An address without the password in it, and without the user unless it is a database's; other texts as they are.
    private static func withoutSecrets(_ text: String) -> String {
        // With several hosts, or a password that nobody escaped, it is no URL.
        if let database = PostgreSQLOptions(ifAddress: text) { return database.name }
        guard text.contains("@"), var parts = URLComponents(string: text), parts.user != nil || parts.password != nil
        else { return text }
        (parts.user, parts.password) = (nil, nil)
        return parts.string ?? ""
    }
}
