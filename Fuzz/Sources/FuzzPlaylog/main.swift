// Plays of arbitrary bytes: tables, lines of JSON, and the fields of requests. Each is read or refused; what was read can be
// looked over, kept, written and read again.

import EarshotBroadcast
import EarshotCore
import Foundation
import LibFuzzer

func plays(_ bytes: [UInt8], _ format: PlaylogFormat) {
    do throws(EarshotError) {
        for record in try PlayImport.records(in: Data(bytes), format).records {
            guard let checked = record.checked().record else { continue }
            precondition(checked.checked().record == checked)
            let table = try PlayImport.records(in: Data((PlayTable.header + PlayTable.line(checked)).utf8), .csv)
            precondition(table.faults.isEmpty && table.records.count == 1)
            precondition(PlayTable.line(table.records[0]) == PlayTable.line(checked))
            let again = try PlaylogJSON.decode(PlayRecord.self, from: PlaylogJSON.encode(checked))
            precondition(again == checked)
            var writer = PlaylogWriter(.m3u) { _ in }
            try writer.write(checked)
            var builder = DailyReport.Builder(PlayDay(of: checked.start))
            builder.add(checked)
            _ = builder.report().text()
            _ = AsRun.airing(checked)
        }
    } catch {
        precondition(error.code == .metadataInvalid)
    }
}

func text(_ text: String) {
    if let cursor = PlayCursor(text) { precondition(PlayCursor(cursor.description) == cursor) }
    if let day = PlayDay(text) { precondition(day.span().upperBound > day.span().lowerBound) }
    if let signature = WebhookSignature(text) { precondition(WebhookSignature(signature.description) == signature) }
    if let seconds = RetryAfter.seconds(text, at: Date(timeIntervalSince1970: 1_777_660_200)) {
        precondition(seconds.isFinite && seconds >= 0)
    }
}

fuzz { bytes in
    let rest = Array(bytes.dropFirst())
    switch (bytes.first ?? 0) % 3 {
    case 0: plays(rest, .csv)
    case 1: plays(rest, .jsonLines)
    default: if let string = String(validating: rest, as: UTF8.self) { text(string) }
    }
}
