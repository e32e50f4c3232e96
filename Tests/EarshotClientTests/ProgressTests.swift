import TestSupport
import Testing

@testable import EarshotClient

@Suite("Progress of an operation")
struct ProgressTests {
    @Test("Whatever happens, phases never go back, percents never fall, and done is last", .requirements("R-MC-042"))
    func order() {
        property("progress") { generator in
            let kind = OperationKind.allCases.randomElement(using: &generator) ?? .track
            var progress = OperationProgress(kind)
            var statuses: [OperationStatus] = []
            var silentFrom: Int?
            for _ in 0..<Int.random(in: 1...40, using: &generator) {
                switch Int.random(in: 0..<10, using: &generator) {
                case 0..<4: statuses += progress.record(Double.random(in: -0.2...1.2, using: &generator))
                case 4..<8:
                    let phase = OperationPhase.allCases.randomElement(using: &generator) ?? .done
                    if phase != .done, let status = progress.enter(phase) { statuses.append(status) }
                case 8:
                    if Bool.random(using: &generator), progress.cancel() { silentFrom = statuses.count }
                default:
                    guard Int.random(in: 0..<4, using: &generator) == 0 else { continue }
                    if let status = progress.finish(isSuccess: Bool.random(using: &generator)) {
                        statuses.append(status)
                    }
                    silentFrom = silentFrom ?? statuses.count
                }
            }
            let phases = statuses.map(\.phase)
            let percents = statuses.compactMap(\.percent)
            return phases == phases.sorted() && Set(phases).isSubset(of: kind.phases)
                && percents == Array(stride(from: 10, through: percents.count * 10, by: 10)) && percents.count <= 10
                && phases.filter { $0 == .done }.count <= 1 && (silentFrom ?? statuses.count) == statuses.count
        }
    }

    @Test("A cancelled operation says nothing more", .requirements("R-MC-047"))
    func cancelled() {
        var progress = OperationProgress(.streamFromMicrophone)
        #expect(progress.record(0.31).map(\.percent) == [10, 20, 30])
        let (first, second) = (progress.cancel(), progress.cancel())
        #expect(first && !second)
        #expect(progress.record(0.9).isEmpty)
        #expect(progress.enter(.querying) == nil)
        #expect(progress.finish(isSuccess: true) == nil)
    }

    @Test("No recording comes after another phase")
    func recordingLate() {
        var progress = OperationProgress(.streamFromMicrophone)
        #expect(progress.enter(.fingerprinting) != nil)
        #expect(progress.record(1).isEmpty)
        #expect(progress.enter(.fingerprinting) == nil)
    }
}
