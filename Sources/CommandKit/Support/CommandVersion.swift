/// The version of the command.
package enum CommandVersion {
    package static let text = "0.1.0"
}
