import Foundation

/// The number of files below a folder that this process has open.
///
/// Many tests at a time have many files open: any number of others may be among them.
func openFiles(below folder: URL) -> Int {
    let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return descriptors.count { descriptor in
        let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
        return path?.hasPrefix(folder.path) ?? false
    }
}

/// Waits until all files below a folder are closed: the thread that had one open may still be letting go of it.
func allFilesAreClosed(below folder: URL) async throws -> Bool {
    for _ in 0..<500 where openFiles(below: folder) > 0 { try await Task.sleep(for: .milliseconds(10)) }
    return openFiles(below: folder) == 0
}
