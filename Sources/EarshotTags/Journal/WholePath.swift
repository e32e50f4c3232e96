import EarshotMedia
import Foundation

/// The form of paths in journals.
package enum WholePath {
    /// Returns an absolute path with the symbolic links of its existing folders resolved, so that it can be compared
    /// with other paths in a journal.
    package static func of(_ path: String) -> String {
        let path = URL(fileURLWithPath: path).standardizedFileURL.path
        var (existing, rest) = (StagedFile.folder(of: path), [(path as NSString).lastPathComponent])
        while existing != "/" {
            if let real = realpath(existing, nil) {
                defer { free(real) }
                return ([String(cString: real)] + rest.reversed()).joined(separator: "/")
            }
            rest.append((existing as NSString).lastPathComponent)
            existing = StagedFile.folder(of: existing)
        }
        return path
    }
}
