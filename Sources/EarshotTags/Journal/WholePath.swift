import EarshotMedia
import Foundation

/// A path as journals keep it.
package enum WholePath {
    /// A path from the root on, with the links in those of its folders that are there followed, so that it is compared with a
    /// file's own.
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
