import EarshotBroadcast
import EarshotCatalogs
import EarshotCore
import EarshotMusic
import EarshotRecognition
import EarshotSignatures

extension BundleStore {
    /// The matches of a fingerprint in the store, in the form that a monitor reports.
    func matches(_ signature: Signature) -> Result<[MonitorMatch], EarshotError> {
        do throws(EarshotError) {
            return .success(try lookup(signature).map { MonitorMatch($0) })
        } catch {
            return .failure(error)
        }
    }
}

extension MonitorMatch {
    /// A match in the fingerprint store.
    public init(_ match: LocalMatch) {
        self.init(title: match.title ?? match.work?.title.text, subtitle: match.subtitle ?? match.work?.subtitle?.text)
        work = match.work
        customData = match.customData
        placement = ReferencePlacement(reference: match.reference, placement: match.match.best)
        let seconds = match.match.offset.seconds
        if seconds.isFinite { actualPosition = Int((seconds * 1_000).rounded()) }
        let length = match.match.referenceDuration.seconds
        duration =
            Self.plausible(duration: work?.duration)
            ?? (length.isFinite && length < 1e9 ? Int((length * 1_000).rounded()) : nil)
    }
}
