package import EarshotBroadcast
package import EarshotCore
import EarshotMusic
import Foundation
import GRDB

extension SQLitePlaylogStore {
    /// Takes note of when channels were listened to.
    package func note(_ heard: [DetectedInterval]) async throws(EarshotError) {
        let stretches = heard.compactMap { $0.checked() }
        guard !stretches.isEmpty else { return }
        try await write { database in
            for stretch in stretches {
                try database.execute(
                    sql: """
                        INSERT INTO heard VALUES (?, ?, ?, ?)
                        ON CONFLICT (channel, start) DO UPDATE SET ended = excluded.ended, json = excluded.json
                        """,
                    arguments: [
                        stretch.channel.id.rawValue, PlaylogTime.bounded(stretch.start),
                        PlaylogTime.bounded(stretch.end),
                        try PlaylogRow.json(stretch),
                    ]
                )
            }
        }
    }

    /// Returns the intervals in which channels were monitored.
    package func heard(_ query: PlayQuery) async throws(EarshotError) -> [DetectedInterval] {
        try await read { database in
            let condition = PlaylogCondition(gaps: query)
            let sql = "SELECT json FROM heard WHERE \(condition.sql) ORDER BY channel, start"
            return try String.fetchAll(database, sql: sql, arguments: condition.arguments).map { json in
                try PlaylogRow.value(DetectedInterval.self, json)
            }
        }
    }
}
