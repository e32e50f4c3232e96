import Earshot
import Foundation

/// Timed content named on the command line.
enum ContentArgument {
    /// The timelines of files, by reference: as `ID=FILE`, as the file says, or the only one of the catalog.
    static func timelines(_ arguments: [String], in catalog: Catalog) async throws -> [ReferenceID: Timeline] {
        var timelines: [ReferenceID: Timeline] = [:]
        for argument in arguments {
            var path = argument
            var id: ReferenceID?
            // A name may have the sign in it, and so may a path: the longest name that the catalog knows counts.
            for index in argument.indices.reversed() where argument[index] == "=" {
                let name = ReferenceID(String(argument[..<index]))
                guard catalog.contains(name) else { continue }
                (id, path) = (name, String(argument[argument.index(after: index)...]))
                break
            }
            // What is no file and has the sign in it names a reference that is not there.
            if id == nil, let sign = argument.firstIndex(of: "="), !FileManager.default.fileExists(atPath: argument) {
                throw EarshotError(
                    .referenceNotFound,
                    "--content \(argument): the catalog has no reference \"\(argument[..<sign])\"; "
                        + "`earshot catalog list` names those it has."
                )
            }
            let timeline = try await TimedCommand.timeline(path)
            let ids = catalog.count == 1 ? catalog.referenceIDs.first : nil
            guard let id = id ?? timeline.reference ?? ids else {
                throw EarshotError(
                    .timelineInvalid,
                    "\(path) does not say which reference it belongs to: give it as ID=\(path), with an ID of "
                        + "`earshot catalog list`."
                )
            }
            guard catalog.contains(id) else {
                throw EarshotError(
                    .referenceNotFound,
                    "\(path) belongs to \(id), which the catalog does not have: give it as ID=\(path)."
                )
            }
            timelines[id] = timeline
        }
        return timelines
    }
}
