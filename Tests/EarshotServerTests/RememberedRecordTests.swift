import EarshotCore
import Foundation
import Testing

@testable import EarshotServer

@Suite("Records of a store that may be away")
struct RememberedRecordTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)
    private static let away = EarshotError(.storeUnavailable, "The store is away.")

    /// What is answered at a time, by a store that has a record, or by none.
    private func ask(
        _ records: RememberedRecords<Int>,
        after seconds: Double,
        _ record: Result<Int?, EarshotError>
    ) async -> Result<Int?, EarshotError> {
        do throws(EarshotError) {
            return .success(
                try await records.record("a", at: Self.now + seconds) { () async throws(EarshotError) in
                    try record.get()
                }
            )
        } catch {
            return .failure(error)
        }
    }

    @Test("a record is read again when it is no longer fresh, and at once when it was forgotten")
    func freshness() async throws {
        let records = RememberedRecords<Int>(freshness: 2)
        #expect(try await ask(records, after: 0, .success(1)).get() == 1)
        #expect(try await ask(records, after: 1.9, .success(2)).get() == 1)
        #expect(try await ask(records, after: 2, .success(2)).get() == 2)
        records.forget("a")
        #expect(try await ask(records, after: 2, .success(nil)).get() == nil)
        let others = RememberedRecords<Int>(freshness: 0)
        for number in 0..<3 { #expect(try await ask(others, after: 0, .success(number)).get() == number) }
    }

    @Test("while the store is away a record is good for ten minutes, and the store is asked every other second")
    func away() async throws {
        let records = RememberedRecords<Int>(freshness: 0)
        await #expect(throws: EarshotError.self) { try await ask(records, after: 0, .failure(Self.away)).get() }
        #expect(try await ask(records, after: 0, .success(1)).get() == 1)
        #expect(try await ask(records, after: 5, .failure(Self.away)).get() == 1)
        #expect(try await ask(records, after: 6.9, .success(2)).get() == 1)
        #expect(try await ask(records, after: 7, .success(2)).get() == 2)
        #expect(try await ask(records, after: 606.9, .failure(Self.away)).get() == 2)
        await #expect(throws: EarshotError.self) { try await ask(records, after: 609, .failure(Self.away)).get() }
        // Another failure says nothing of a store that is away.
        let damage = EarshotError(.storeDamaged, "The store is damaged.")
        #expect(try await ask(records, after: 700, .success(3)).get() == 3)
        await #expect(throws: EarshotError.self) { try await ask(records, after: 701, .failure(damage)).get() }
    }
}
