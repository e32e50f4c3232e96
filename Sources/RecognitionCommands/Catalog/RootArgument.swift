#if Service
    import ArgumentParser

    /// The place of a folder on this machine that another machine has elsewhere, as `OLD=NEW`.
    struct RootArgument: ExpressibleByArgument, Sendable {
        /// The folder where files were entered, without a slash at its end.
        private let old: String
        /// The same folder here.
        private let new: String

        init?(argument: String) {
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, parts[0].hasPrefix("/"), !parts[1].isEmpty else { return nil }
            func trimmed(_ text: Substring) -> String {
                String(text.reversed().drop { $0 == "/" }.reversed())
            }
            (old, new) = (trimmed(parts[0]), trimmed(parts[1]))
        }

        /// The path of a file here; `nil` if it is not below the folder.
        func path(of path: String) -> String? {
            guard path.hasPrefix(old + "/") else { return nil }
            return new + path.dropFirst(old.count)
        }
    }
#endif
