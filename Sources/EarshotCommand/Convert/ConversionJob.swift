import EarshotCore
import Foundation
import EarshotMedia

/// A file that is to be converted, and where the result goes.
struct ConversionJob: Sendable {
    let input: URL
    let output: URL

    /// The files of what was named, each with a place of its own.
    ///
    /// One file goes to a file, or into a folder that is there. Several, and folders, go below a folder, in which the folders of the
    /// source are made anew.
    ///
    /// - Throws: `assetNotFound`, `destinationExists` when two files would have one place, `fileTypeUnsupported` without a type.
    static func list(_ inputs: [String], output: String, type: FileType?) throws(EarshotError) -> [ConversionJob] {
        var isFolder: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: output, isDirectory: &isFolder)
        let goesIntoFolder = exists && isFolder.boolValue || output.hasSuffix("/")
        if let missing = inputs.first(where: { !FileManager.default.fileExists(atPath: $0) }) {
            throw EarshotError(.assetNotFound, "There is no file or folder at \(missing): check the path.")
        }
        var isInputFolder: ObjCBool = false
        if inputs.count == 1, FileManager.default.fileExists(atPath: inputs[0], isDirectory: &isInputFolder),
            !isInputFolder.boolValue, !goesIntoFolder
        {
            return [ConversionJob(input: URL(fileURLWithPath: inputs[0]), output: URL(fileURLWithPath: output))]
        }
        guard let type else {
            throw EarshotError(
                .fileTypeUnsupported,
                "What goes into the folder \(output) needs a type: say with --to which."
            )
        }
        if exists, !isFolder.boolValue {
            throw EarshotError(.destinationExists, "\(output) is a file: name a folder for what is converted.")
        }
        let found = try MusicFiles(inputs)
        if let failure = found.failures.first { throw EarshotError(.assetUnreadable, failure.message) }
        let folder = URL(fileURLWithPath: output, isDirectory: true)
        let hasOneFolder = inputs.count == 1 && found.prefixes.count == 1
        var places: [String: URL] = [:]
        var jobs: [ConversionJob] = []
        for file in found.files {
            var path = file.id.rawValue
            if hasOneFolder, let prefix = found.prefixes.first, path.hasPrefix(prefix) {
                path.removeFirst(prefix.count)
            }
            let name = (path as NSString).deletingPathExtension + "." + type.fileExtensions[0]
            let place = folder.appendingPathComponent(name)
            // File systems that fold case would take two for one.
            if let other = places.updateValue(file.url, forKey: place.path.lowercased()) {
                throw EarshotError(
                    .destinationExists,
                    "\(other.path) and \(file.url.path) would both become \(place.path): rename one of them."
                )
            }
            jobs.append(ConversionJob(input: file.url, output: place))
        }
        return jobs
    }
}
