package import EarshotCore
import EarshotIngest
import Foundation

/// The inputs of a command that takes recordings and folders of them.
package struct ClipList {
    /// An input, or why there is none.
    package struct Entry: Sendable {
        /// The name of the input as the user wrote it; in a folder, with the path below it.
        package let name: String
        /// The reason why it cannot be looked at.
        package var failure: EarshotError?
    }

    /// In the order of the arguments; files of a folder in the order of their paths.
    package private(set) var entries: [Entry] = []

    /// Finds the audio files below folders, by the same choice as `catalog create`. Anything else stays as it is.
    package init(_ arguments: [String]) {
        for argument in arguments {
            var isFolder: ObjCBool = false
            guard Clip.url(argument).isFileURL,
                FileManager.default.fileExists(atPath: argument, isDirectory: &isFolder), isFolder.boolValue
            else {
                entries.append(Entry(name: argument))
                continue
            }
            let walk = FolderWalk(argument, suffixes: MusicFiles.audioSuffixes)
            entries += walk.files.map { Entry(name: $0.location) }
            entries += walk.failures.map { failure in
                let message = "The folder \(failure.location) cannot be read: check that you may read it."
                return Entry(name: failure.location, failure: EarshotError(.assetUnreadable, message))
            }
            if walk.files.isEmpty, walk.failures.isEmpty {
                let message = "There is no audio below \(argument): name a folder with music in it, or a file."
                entries.append(Entry(name: argument, failure: EarshotError(.assetNotFound, message)))
            }
        }
    }
}
