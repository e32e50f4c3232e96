import CommandKit
import EarshotCore
import EarshotMusic
import Foundation
import Synchronization

/// A file that tells what an import passed over: lines, or whole files.
final class RejectList: Sendable {
    private struct Record: Encodable {
        let file: String
        let line: Int?
        let code: String
        let reason: String
        let content: String?
    }

    private let path: String
    private let state: Mutex<(handle: FileHandle, hasFailed: Bool)>

    init(path: String) throws(EarshotError) {
        let url = URL(fileURLWithPath: path)
        guard !FileManager.default.fileExists(atPath: path) else { throw AtomicFile.exists(url) }
        guard FileManager.default.createFile(atPath: path, contents: nil),
            let handle = FileHandle(forWritingAtPath: path)
        else {
            throw EarshotError(.writeFailed, "\(path) cannot be written: check the folder and its rights.")
        }
        self.path = path
        state = Mutex((handle, false))
    }

    func add(_ reject: MusicImport.Reject, of file: String) {
        let content = reject.content.map { String(decoding: $0, as: UTF8.self) }
        add(reject.reason, of: file, line: reject.line, content: content)
    }

    func add(_ reason: EarshotError, of file: String, line: Int? = nil, content: String? = nil) {
        let record = Record(
            file: file,
            line: line,
            code: reason.code.rawValue,
            reason: reason.message,
            content: content
        )
        guard let line = try? JSON.line(record) else { return }
        state.withLock { state in
            do {
                try state.handle.write(contentsOf: Data((line + "\n").utf8))
            } catch {
                state.hasFailed = true
            }
        }
    }

    func close() throws(EarshotError) {
        let hasFailed = state.withLock { state in
            try? state.handle.close()
            return state.hasFailed
        }
        guard !hasFailed else {
            throw EarshotError(.writeFailed, "Some lines could not be written to \(path): make room on the disk.")
        }
    }
}
