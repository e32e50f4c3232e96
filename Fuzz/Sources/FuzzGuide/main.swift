// Programme guides in XMLTV, of arbitrary bytes: each is read or refused with its own code; what was read has no overlaps, and
// is the same after writing and reading again.

import EarshotBroadcast
import EarshotCore
import Foundation
import LibFuzzer

let reader = {
    var limits = XMLTVReader.Limits()
    // Small enough for inputs to reach them.
    (limits.textSize, limits.elements, limits.channels, limits.programmes, limits.notes) = (2_000, 200, 50, 200, 20)
    return XMLTVReader(limits: limits)
}()

func check(_ guide: XMLTVGuide) {
    precondition(guide.notes.count <= 20 && guide.notes.count <= guide.noteCount)
    precondition(guide.airings.count == guide.slots.count)
    for (slot, next) in zip(guide.slots, guide.slots.dropFirst()) {
        precondition(slot.start < slot.end)
        precondition(slot.channel != next.channel || slot.end <= next.start)
    }
    precondition(guide.schedules.reduce(0) { $0 + $1.slots.count } == guide.slots.count)
}

/// What is written is well-formed whatever was read, and holds as many channels and programmes that have names.
func again(_ guide: XMLTVGuide) {
    let data = XMLTVWriter().data(channels: guide.channels, airings: guide.airings)
    do throws(EarshotError) {
        let read = try XMLTVReader().guide(in: data)
        check(read)
        precondition(read.channels.count == guide.channels.count)
    } catch {
        preconditionFailure("\(error)")
    }
}

fuzz { bytes in
    do throws(EarshotError) {
        let guide = try reader.guide(in: Data(bytes))
        check(guide)
        again(guide)
    } catch {
        precondition(error.code == .metadataInvalid)
    }
    // A time alone is reached more often than one in a guide.
    if let text = String(validating: bytes.prefix(64), as: UTF8.self), let date = XMLTVTime.date(text) {
        precondition(XMLTVTime.date(XMLTVTime.text(date)) == date)
    }
}
