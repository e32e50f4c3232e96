// Files of timed content of arbitrary bytes, in every form: read or refused as `timelineInvalid`; what was read can be
// written in every form, and the form that holds everything gives it back as it was.

import EarshotCore
import EarshotTimedContent
import Foundation
import LibFuzzer

func exercise(_ data: Data, as format: TimedContentFormat?) {
    do throws(EarshotError) {
        let timeline = try Timeline(data: data, format: format, name: "input")
        for form in TimedContentFormat.allCases {
            let written = try timeline.data(as: form)
            let again = try Timeline(data: written, format: form)
            if form == .json { precondition(again == timeline) }
            if form != .lrc { precondition(again.entries.count == timeline.entries.count) }
        }
        _ = timeline.warnings(duration: .zero)
        for entry in timeline.entries.prefix(20) { precondition(!timeline.active(at: entry.start).isEmpty) }
        let property = try Timeline(propertyValue: timeline.propertyValue)
        precondition(property == timeline)
    } catch {
        precondition(error.code == .timelineInvalid)
    }
}

fuzz { bytes in
    let data = Data(bytes.dropFirst())
    let forms = TimedContentFormat.allCases
    let choice = Int(bytes.first ?? 0) % (forms.count + 1)
    exercise(data, as: choice < forms.count ? forms[choice] : nil)
    if let text = String(validating: data, as: UTF8.self) { _ = try? TimeText.time(text) }
}
