import CommandKit
import EarshotCore
import EarshotMedia
import Foundation

/// A file that is to be converted, and where the result goes.
struct ConversionJob: Sendable {
    let input: URL
    let output: URL
    /// The file that has the name which this one would have without its number; `nil` for one without a number.
    var namesake: URL?

    /// The files of what was named, each with a place of its own.
    ///
    /// One file goes to a file, or into a folder that is there. Several, and folders, go below a folder, in which the folders of the
    /// source are made anew. Of files that would have one place, the first in the order of names has it, and the others get
    /// numbers, the same in every run over the same files.
    ///
    /// - Throws: `assetNotFound`, `destinationExists` for a file in the place of the folder, `fileTypeUnsupported` without a type.
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
        let found = try MusicFiles(inputs, allowsNamesakes: true)
        if let failure = found.failures.first { throw EarshotError(.assetUnreadable, failure.message) }
        let folder = URL(fileURLWithPath: output, isDirectory: true)
        let hasOneFolder = inputs.count == 1 && found.prefixes.count == 1
        let names = found.files.map { file in
            var path = file.id.rawValue
            if hasOneFolder, let prefix = found.prefixes.first, path.hasPrefix(prefix) {
                path.removeFirst(prefix.count)
            }
            return (path as NSString).deletingPathExtension
        }
        return zip(found.files, places(for: names)).map { file, place in
            ConversionJob(
                input: file.url,
                output: folder.appendingPathComponent("\(place.name).\(type.fileExtensions[0])"),
                namesake: place.first.map { found.files[$0].url }
            )
        }
    }

    /// A name for each of some files, no two the same.
    ///
    /// - Parameter wanted: The names that they would have.
    /// - Returns: The names, with the place of the file that has the name where it got a number.
    private static func places(for wanted: [String]) -> [(name: String, first: Int?)] {
        // File systems that fold case would take two for one.
        let keys = wanted.map { $0.lowercased() }
        var first: [String: Int] = [:]
        for (index, key) in keys.enumerated() where first[key] == nil { first[key] = index }
        // No number leads to a name that another file has by itself.
        var taken = Set(keys)
        var numbers: [String: Int] = [:]
        return zip(wanted, keys).enumerated().map { index, entry in
            let (name, key) = entry
            guard let other = first[key], other != index else { return (name, nil) }
            var number = numbers[key] ?? 2
            while !taken.insert("\(key) (\(number))").inserted { number += 1 }
            numbers[key] = number + 1
            return ("\(name) (\(number))", other)
        }
    }
}
