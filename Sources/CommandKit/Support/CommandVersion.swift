import CBuild
import EarshotMedia

/// The version of Earshot. This is the only place that has it: packages take it from `earshot --version`.
package enum CommandVersion {
    package static let text = "0.1.0"

    /// The commit that the program was built from; "unknown" if the build was not told.
    package static var commit: String { String(cString: earshot_commit()) }

    /// The answer to `earshot --version`: version, commit, and the FFmpeg that is loaded, which may be another than at the build.
    package static var report: String {
        """
        earshot \(text)
        commit \(commit)
        FFmpeg \(FFmpegLibraries.release) (\(FFmpegLibraries.description))
        """
    }
}
