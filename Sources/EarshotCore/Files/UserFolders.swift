package import Foundation

/// The folders of a user in which programs keep files.
///
/// Both layouts are based on `HOME`. The password database is used only if `HOME` is not set or not an absolute path.
package struct UserFolders: Hashable, Sendable {
    /// A kind of files, each with its own folder.
    package enum Kind: CaseIterable, Sendable {
        /// Files that the user wants to keep, such as databases and logins.
        case data
        /// Settings of the user.
        case configuration
        /// Files that can be created again.
        case cache
        /// Files that outlast a run but are not worth a backup: journals, logs.
        case state
    }

    /// A convention for the folders of each kind.
    package enum Layout: Sendable {
        /// The XDG Base Directory Specification, version 0.8.
        case freedesktop
        /// Apple's layout: folders in `~/Library`.
        case apple

        /// The layout of the system that the program was built for.
        package static var platform: Layout {
            #if canImport(Darwin)
                .apple
            #else
                .freedesktop
            #endif
        }
    }

    /// The name of this program's folder in each of them.
    private static let ownName = "earshot"

    /// The home folder of the user.
    package let home: URL
    /// The folder of each kind, which all programs share.
    private let bases: [Kind: URL]
    /// The folders of the system in which programs find data, the most important first.
    package let systemData: [URL]

    /// Determines the folders from environment variables.
    ///
    /// - Parameters:
    ///   - environment: The environment variables. Used are `HOME` and, for `.freedesktop`, `XDG_DATA_HOME`,
    ///     `XDG_CONFIG_HOME`, `XDG_CACHE_HOME`, `XDG_STATE_HOME` and `XDG_DATA_DIRS`. A relative path is ignored, as
    ///     the specification demands.
    ///   - layout: The convention for the folders. Default: that of the system.
    package init(
        environment: [String: String] = ProcessInfo.processInfo.environment,
        layout: Layout = .platform
    ) {
        func folder(_ name: String) -> URL? { environment[name].flatMap(Self.absolute) }
        // Foundation on Linux looks at the password database alone.
        let home = folder("HOME") ?? FileManager.default.homeDirectoryForCurrentUser
        self.home = home
        func base(_ name: String, _ standard: String) -> URL {
            folder(name) ?? home.appendingPathComponent(standard, isDirectory: true)
        }
        switch layout {
        case .apple:
            let support = home.appendingPathComponent("Library/Application Support", isDirectory: true)
            let caches = home.appendingPathComponent("Library/Caches", isDirectory: true)
            bases = [.data: support, .configuration: support, .cache: caches, .state: support]
            systemData = [URL(fileURLWithPath: "/Library/Application Support", isDirectory: true)]
        case .freedesktop:
            bases = [
                .data: base("XDG_DATA_HOME", ".local/share"),
                .configuration: base("XDG_CONFIG_HOME", ".config"),
                .cache: base("XDG_CACHE_HOME", ".cache"),
                .state: base("XDG_STATE_HOME", ".local/state"),
            ]
            let named = environment["XDG_DATA_DIRS"].flatMap { $0.isEmpty ? nil : $0 } ?? "/usr/local/share:/usr/share"
            systemData = named.split(separator: ":").compactMap { Self.absolute(String($0)) }
        }
    }

    /// Returns the folder of a kind, which all programs share.
    package func base(_ kind: Kind) -> URL { bases[kind] ?? home }

    /// Returns the folder of Earshot for a kind of files.
    package func own(_ kind: Kind) -> URL { base(kind).appendingPathComponent(Self.ownName, isDirectory: true) }

    /// Returns the address of a file or folder of Earshot.
    ///
    /// - Parameters:
    ///   - name: Its name in the folder of Earshot.
    ///   - kind: The kind of file.
    package func own(_ name: String, _ kind: Kind) -> URL { own(kind).appendingPathComponent(name) }

    private static func absolute(_ path: String) -> URL? {
        path.hasPrefix("/") ? URL(fileURLWithPath: path, isDirectory: true) : nil
    }
}
