// Waveform files of arbitrary bytes: read, or refused as `metadataInvalid`; what was read can be made coarser, and written and read
// again.

import EarshotAnalysis
import EarshotCore
import EarshotLibrary
import LibFuzzer

fuzz { bytes in
    do throws(EarshotError) {
        let waveform = try Waveform(dataFile: Array(bytes))
        precondition(waveform.buckets.count == waveform.length * waveform.channelCount)
        _ = waveform.coarser(by: 3)
        _ = waveform.fitted(to: 100)
        _ = waveform.levels()
        _ = waveform.mono
        for resolution in Waveform.Resolution.allCases {
            let again = try Waveform(dataFile: waveform.dataFile(resolution))
            precondition(again.buckets.count == waveform.buckets.count)
        }
    } catch {
        precondition(error.code == .metadataInvalid)
    }
}
