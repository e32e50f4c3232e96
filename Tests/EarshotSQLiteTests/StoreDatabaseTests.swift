import EarshotCore
import EarshotSQLite
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("Databases that several open at once")
struct StoreDatabaseTests {
    @Test("A file that several make at the same moment is made by one, and serves all")
    func made() async throws {
        for round in 0..<20 {
            try await withTemporaryFolder { folder in
                let url = folder.appendingPathComponent("store.sqlite")
                let errors = Mutex<[String]>([])
                await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
                    let group = DispatchGroup()
                    for _ in 0..<6 {
                        // A thread each, that all begin at once.
                        group.enter()
                        Thread.detachNewThread {
                            do throws(EarshotError) {
                                if round.isMultiple(of: 2) {
                                    _ = try SQLiteMusicStore(url: url)
                                } else {
                                    _ = try SQLiteAccountStore(url: url)
                                }
                            } catch {
                                errors.withLock { $0.append(error.message) }
                            }
                            group.leave()
                        }
                    }
                    group.notify(queue: .global()) { done.resume() }
                }
                #expect(errors.withLock(\.self).isEmpty)
            }
        }
    }
}
