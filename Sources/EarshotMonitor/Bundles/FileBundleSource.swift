public import EarshotCore
public import Foundation

/// A source that reads a bundle from a file.
public struct FileBundleSource: BundleSource {
    private let handle: FileHandle
    /// The size of the file in bytes.
    public let byteCount: Int
    /// The path of the file.
    public let name: String

    /// Opens a file.
    ///
    /// - Throws: `assetNotFound`, `assetIsDirectory`, `assetUnreadable`.
    public init(_ url: URL) throws(EarshotError) {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else {
            throw EarshotError(.assetNotFound, "There is no bundle at \(url.path): check the path.")
        }
        guard !isFolder.boolValue else {
            throw EarshotError(.assetIsDirectory, "\(url.path) is a folder: name a bundle in it.")
        }
        guard let handle = FileHandle(forReadingAtPath: url.path), let size = try? handle.seekToEnd(),
            (try? handle.seek(toOffset: 0)) != nil
        else { throw EarshotError(.assetUnreadable, "\(url.path) cannot be read: check that you may read it.") }
        self.handle = handle
        name = url.path
        byteCount = Int(clamping: size)
    }

    /// Reads the next bytes of the file.
    ///
    /// - Throws: `readFailed`.
    public mutating func read(into buffer: UnsafeMutableRawBufferPointer) async throws -> Int {
        let (handle, room) = (handle, buffer.count)
        let data = try await BlockingWork.run { () throws(EarshotError) in
            do {
                return try handle.read(upToCount: room) ?? Data()
            } catch {
                throw EarshotError(.readFailed, "The bundle cannot be read to its end: check the disk.", cause: error)
            }
        }
        data.withUnsafeBytes { buffer.copyMemory(from: $0) }
        return data.count
    }
}
