package import Foundation

/// The per-user folders in which programs keep files.
///
/// Both layouts begin with `HOME`; the password database counts only if `HOME` is not set or no absolute path.
package struct UserFolders: Hashable, Sendable {
    /// A kind of files, each with a folder of its own.
    package enum Kind: CaseIterable, Sendable {
        /// Files that the user wants to keep: databases, log-ins.
        case data
        /// Settings.
        case configuration
        /// Files that can be made again.
        case cache
        /// Files that outlast a run but are not worth a backup: journals, logs.
        case state
    }

    /// The folder of each kind, by system.
    package enum Layout: Sendable {
        /// The XDG Base Directory Specification, version 0.8.
        case freedesktop
        /// `~/Library`.
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

    /// The user's home.
    package let home: URL
    /// The folder of each kind, which all programs share.
    private let bases: [Kind: URL]
    /// The folders of the system in which programs find data, the most important first.
    package let systemData: [URL]

    /// The folders that an environment names.
    ///
    /// - Parameters:
    ///   - environment: `HOME` and, for `.freedesktop`, `XDG_DATA_HOME`, `XDG_CONFIG_HOME`, `XDG_CACHE_HOME`,
    ///     `XDG_STATE_HOME` and `XDG_DATA_DIRS`. A path that is not absolute is ignored, as the specification demands.
    ///   - layout: The place of each kind of folder.
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

    /// The folder of a kind, which all programs share.
    package func base(_ kind: Kind) -> URL { bases[kind] ?? home }

    /// This program's own folder of a kind.
    package func own(_ kind: Kind) -> URL { base(kind).appendingPathComponent(Self.ownName, isDirectory: true) }

    /// The location of a file or folder of this program.
    ///
    /// - Parameters:
    ///   - name: Its name in the program's own folder.
    ///   - kind: The kind of file it is.
    package func own(_ name: String, _ kind: Kind) -> URL { own(kind).appendingPathComponent(name) }

    private static func absolute(_ path: String) -> URL? {
        path.hasPrefix("/") ? URL(fileURLWithPath: path, isDirectory: true) : nil
    }
}
