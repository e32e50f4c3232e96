import Crypto
import EarshotAPI
public import EarshotCore
public import Foundation

/// Stores accounts in files that only their owner may read, in a folder that only their owner may open.
public struct FileTokenStore: PieceTokenStore {
    /// The folder of the files.
    public let folder: URL

    /// Creates a store.
    ///
    /// - Parameter folder: The folder of the files; created with the first file.
    public init(_ folder: URL) { self.folder = folder }

    /// Returns the default folder: `earshot/pieces` in the user's data folder.
    ///
    /// - Parameter environment: The environment variables. `HOME` and, on Linux, `XDG_DATA_HOME` locate the data
    ///   folder; a relative path is ignored.
    public static func usualFolder(
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) -> URL {
        UserFolders(environment: environment).own("pieces", .data)
    }

    /// Returns the stored account for an app and a service; `nil` if there is none.
    ///
    /// - Throws: `storeUnavailable` if the file cannot be read.
    public func account(for place: PieceTokenKey) async throws(EarshotError) -> PieceAccount? {
        let file = file(place)
        return try await BlockingWork.run { () throws(EarshotError) -> PieceAccount? in
            guard FileManager.default.fileExists(atPath: file.path) else { return nil }
            // Somebody may have copied it with other rights.
            chmod(file.path, 0o600)
            guard let data = FileManager.default.contents(atPath: file.path),
                let account = try? JSONDecoder().decode(PieceAccount.self, from: data)
            else {
                throw EarshotError(
                    .storeUnavailable,
                    "\(file.path) cannot be read: check its rights, or remove it and log in again."
                )
            }
            return account
        }
    }

    /// Stores an account atomically in a file, or removes the file if the account is `nil`.
    ///
    /// - Throws: `writeFailed` if the file cannot be written or removed.
    public func keep(_ account: PieceAccount?, for place: PieceTokenKey) async throws(EarshotError) {
        let (file, folder) = (file(place), folder)
        try await BlockingWork.run { () throws(EarshotError) in
            guard let account else {
                guard unlink(file.path) == 0 || errno == ENOENT else {
                    throw EarshotError(.writeFailed, "\(file.path) cannot be removed: check the rights of its folder.")
                }
                return
            }
            do {
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                let data = try ServiceAPI.encoder().encode(account)
                // The folder is there for nothing else.
                guard chmod(folder.path, 0o700) == 0 else { throw CocoaError(.fileWriteNoPermission) }
                try AtomicFile.write(Array(data), to: file, replacing: true, mode: 0o600)
            } catch let error as EarshotError {
                throw error
            } catch {
                throw EarshotError(
                    .writeFailed,
                    "\(folder.path) cannot be made: check the folder above it and its rights.",
                    cause: error
                )
            }
        }
    }

    private func file(_ place: PieceTokenKey) -> URL {
        let digest = SHA256.hash(data: Data(place.service.utf8)).hexadecimal.prefix(16)
        return folder.appendingPathComponent("\(HTTPCall.escaped(place.application))-\(digest).json")
    }
}
