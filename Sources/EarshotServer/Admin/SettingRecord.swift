/// A setting of the running service, with its value and origin, for the operator. Secrets are left out.
package struct SettingRecord: Encodable, Hashable, Sendable {
    /// The origin of a setting's value.
    package enum Source: String, Encodable, Hashable, Sendable, CaseIterable {
        /// An option of the command.
        case option
        /// A variable of the environment.
        case variable
        /// The file of settings.
        case file
        /// The default value.
        case standard = "default"
    }

    /// The name in the settings file: `uploadLimit`.
    package let name: String
    /// The name of the environment variable: `EARSHOT_UPLOAD_LIMIT`.
    package let variable: String
    /// The value; `nil` for a setting that is not set and has no default.
    package let value: String?
    /// The origin of the value.
    package let source: Source

    /// Creates a setting.
    package init(name: String, variable: String, value: String?, source: Source) {
        self.name = name
        self.variable = variable
        self.value = value
        self.source = source
    }
}
