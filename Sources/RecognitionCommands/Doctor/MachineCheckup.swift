package import CommandKit
import Earshot
import EarshotAnalysis
import EarshotCore
import EarshotMedia
import EarshotTags
import Foundation

/// Looks at what every subcommand needs of this machine: libraries, formats, microphone, disk.
package enum MachineCheckup {
    /// Below so much room catalogs and downloads soon fail, in bytes.
    private static let scarceRoom = 1 << 30

    package static func findings() async -> [Finding] {
        [
            .good("earshot", "\(CommandVersion.text), commit \(CommandVersion.commit)"),
            .good(
                "FFmpeg",
                FFmpegLibraries.release + ": "
                    + FFmpegLibraries.versions.map { "\($0.name) \($0.version)" }.joined(separator: ", ")
            ),
            .good("TagLib", TagLibrary.version),
            .good("libebur128", LoudnessMeter.libraryVersion),
            reading(unreadable: FFmpegLibraries.usualFormats.filter { !$0.canBeRead }.map(\.name)),
            writing(unwritable: FFmpegLibraries.usualFormats.filter { !$0.canBeWritten }.map(\.name)),
            microphone(await CaptureDevice.all().map(\.description), FFmpegLibraries.deviceLibrary),
            disk(UserFolders().own(.data)),
        ]
    }

    static func reading(unreadable: [String]) -> Finding {
        guard !unreadable.isEmpty else {
            return .good("reading", FFmpegLibraries.usualFormats.map(\.name).joined(separator: ", "))
        }
        return .missing(
            "reading",
            "This FFmpeg does not read \(unreadable.joined(separator: ", ")).",
            remedy: "Install the FFmpeg of your distribution: one built by hand may have left these formats out."
        )
    }

    static func writing(unwritable: [String]) -> Finding {
        guard !unwritable.isEmpty else { return .good("writing", "all formats of `earshot convert`") }
        return .advice(
            "writing",
            "This FFmpeg does not write \(unwritable.joined(separator: ", ")).",
            remedy: "Install an FFmpeg with these encoders to convert to them; recognition does not need them."
        )
    }

    static func microphone(_ devices: [String], _ library: (file: String, isInstalled: Bool)) -> Finding {
        guard library.isInstalled else {
            return .advice(
                "microphone",
                "\(library.file) is not installed, so devices cannot be captured from.",
                remedy:
                    "Install FFmpeg's libavdevice to use `earshot listen` with a microphone (on Debian: libavdevice)."
            )
        }
        guard let first = devices.first else {
            return .advice(
                "microphone",
                "There is no capture device.",
                remedy: "Connect a microphone and check that a sound server runs (`pactl info`), for `earshot listen`."
            )
        }
        let others = devices.count - 1
        return .good("microphone", others == 0 ? first : "\(first) and \(others) more")
    }

    /// The room for the user's files. The folder need not be there yet: the nearest one above it counts.
    static func disk(_ folder: URL) -> Finding {
        var existing = folder
        while existing.pathComponents.count > 1, !FileManager.default.fileExists(atPath: existing.path) {
            existing = existing.deletingLastPathComponent()
        }
        guard access(existing.path, W_OK) == 0 else {
            return .missing(
                "disk",
                "\(existing.path) may not be written.",
                remedy: "Correct its rights, or name another folder for the user's files with XDG_DATA_HOME."
            )
        }
        let attributes = try? FileManager.default.attributesOfFileSystem(forPath: existing.path)
        guard let free = (attributes?[.systemFreeSize] as? NSNumber)?.intValue else {
            return .good("disk", "\(folder.path) can be written")
        }
        let room = "\(DisplayText.bytes(free)) free for \(folder.path)"
        guard free < scarceRoom else { return .good("disk", room) }
        return .advice("disk", room, remedy: "Make room: catalogs and downloads need some.")
    }
}
