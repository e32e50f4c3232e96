import CommandKit
import EarshotCore

/// The subcommands that a build without some traits of the package leaves out.
enum LeftOutCommand {
    /// The trait that brings each subcommand.
    private static var traits: [String: String] {
        var traits: [String: String] = [:]
        #if !Library
            for name in [
                "library", "history", "import", "search", "lyrics", "track", "album", "artist", "epg", "playlog",
            ] {
                traits[name] = "Library"
            }
        #endif
        #if !Service
            for name in ["monitor", "bundle", "serve", "admin", "cluster", "piece"] { traits[name] = "Service" }
        #endif
        return traits
    }

    /// The error of a command line whose subcommand was left out; `nil` if it was not.
    static func error(_ arguments: [String]) -> EarshotError? {
        guard let name = arguments.dropFirst().first(where: { !$0.hasPrefix("-") && $0 != "help" }),
            let trait = traits[name]
        else { return nil }
        return EarshotError(.configurationInvalid, "`earshot \(name)` \(LeftOutFeature.sentence(trait))")
    }
}
