package import EarshotCore
package import EarshotNodes
package import Foundation
package import Synchronization

/// Objects in a folder, with the failures of a bucket when they are wanted.
package final class FolderObjectStore: ObjectStore {
    private let folder: URL
    /// Says that nothing can be reached.
    package let isAway = Mutex(false)
    /// What happens to an object when it is fetched.
    package enum Damage: Sendable {
        /// A byte is changed.
        case byte
        /// The last byte is missing.
        case end
    }

    /// Says that the disk to which objects are fetched has room for half of one.
    package let isDiskFull = Mutex(false)
    /// Damage by the keys of objects.
    package let damage = Mutex<[String: Damage]>([:])
    /// The number of requests, also of those that reached nothing.
    package let requestCount = Mutex(0)
    /// The most objects of a page of a list.
    package let pageSize = Mutex(1_000)
    /// The keys that were fetched, in order.
    package let fetched = Mutex<[String]>([])

    package let name = "http://bucket.test/earshot"
    package let largest = 1 << 30

    /// A store in a folder that is there.
    package init(_ folder: URL) { self.folder = folder }

    /// The keys of all objects, in order.
    package var keys: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.compactMap(\.removingPercentEncoding).sorted()
    }

    private func url(_ key: String) -> URL {
        folder.appendingPathComponent(key.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? key)
    }

    package func check() async throws(EarshotError) {
        requestCount.withLock { $0 += 1 }
        guard !isAway.withLock({ $0 }) else { throw EarshotError(.storeUnavailable, "The bucket is away.") }
    }

    package func keep(_ file: URL, size: Int, sha256: String, as key: String) async throws(EarshotError) {
        try await check()
        do {
            let data = try Data(contentsOf: file)
            guard data.count == size else { throw EarshotError(.storeUnavailable, "The size is wrong.") }
            try data.write(to: url(key), options: .atomic)
        } catch {
            throw EarshotError(.storeUnavailable, "The bucket cannot keep \(key).", cause: error)
        }
    }

    package func fetch(_ key: String, to file: URL) async throws(EarshotError) {
        try await check()
        fetched.withLock { $0.append(key) }
        guard var data = try? Data(contentsOf: url(key)) else {
            throw EarshotError(.entityNotFound, "The bucket has no \(key).")
        }
        switch damage.withLock({ $0[key] }) {
        case .byte: data[data.count / 2] ^= 1
        case .end: data = data.prefix(data.count - 1)
        case nil: break
        }
        let isFull = isDiskFull.withLock { $0 }
        do {
            try (isFull ? data.prefix(data.count / 2) : data).write(to: file)
        } catch {
            throw EarshotError(.writeFailed, "\(file.path) cannot be written.", cause: error)
        }
        if isFull { throw EarshotError(.writeFailed, "\(file.path) cannot be written: there may be no room.") }
    }

    package func remove(_ key: String) async throws(EarshotError) {
        try await check()
        try? FileManager.default.removeItem(at: url(key))
    }

    package func list(_ prefix: String, after token: String?) async throws(EarshotError) -> ObjectPage {
        try await check()
        let rest = keys.filter { $0.hasPrefix(prefix) && $0 > token ?? "" }
        let keys = rest.prefix(pageSize.withLock { $0 })
        let objects = keys.map { key in
            let attributes = try? FileManager.default.attributesOfItem(atPath: url(key).path)
            return ObjectPage.Object(
                key: key,
                size: attributes?[.size] as? Int ?? 0,
                modified: attributes?[.modificationDate] as? Date ?? .distantPast
            )
        }
        return ObjectPage(objects: objects, next: keys.count < rest.count ? keys.last : nil)
    }
}
