package import ArgumentParser

/// The subcommands of services and stations, by the groups in which the help shows them.
package enum ServiceCommands {
    package static var broadcast: [any ParsableCommand.Type] { [MonitorCommand.self, BundleCommand.self] }

    package static var service: [any ParsableCommand.Type] {
        [ServeCommand.self, AdminCommand.self, DecodeUploadCommand.self]
    }

    package static var pieces: [any ParsableCommand.Type] { [PieceCommand.self] }
}
