package import ArgumentParser

/// The subcommands of services and stations, by the groups in which the help shows them.
package enum ServiceCommands {
    package static var broadcast: [any ParsableCommand.Type] { [MonitorCommand.self, BundleCommand.self] }

    package static var service: [any ParsableCommand.Type] {
        [ServeCommand.self, AdminCommand.self, ClusterCommand.self, DecodeUploadCommand.self]
    }

    /// Gives up what the command that is about to run does not need. To be called while the process has one thread.
    ///
    /// - Parameter arguments: Those of the process, the program's name first.
    package static func confine(_ arguments: [String]) { DecodeUploadCommand.confine(arguments) }

    /// Returns the command that a service starts for an upload; `nil` if the arguments are of another one, or faulty.
    ///
    /// The parser of all subcommands would take a sixth of the time of decoding a clip.
    ///
    /// - Parameter arguments: Those of the process, the program's name first.
    package static func worker(_ arguments: [String]) -> (any AsyncParsableCommand)? {
        guard arguments.dropFirst().first == DecodeUploadCommand.configuration.commandName else { return nil }
        return try? DecodeUploadCommand.parse(Array(arguments.dropFirst(2)))
    }

    package static var pieces: [any ParsableCommand.Type] { [PieceCommand.self] }
}
