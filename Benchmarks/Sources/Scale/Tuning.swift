import BenchmarkSupport
import EarshotCatalogs

/// Numbers of the search that are set otherwise than in the command, to see what each does.
enum Tuning {
    /// Reads settings such as `quickBlocks=4000`.
    static func parameters(_ settings: [String]) throws -> MatchingParameters {
        var parameters = MatchingParameters()
        // The time of the asking thread is all that a search takes.
        parameters.mostLanes = 1
        for setting in settings {
            let parts = setting.split(separator: "=").map(String.init)
            guard parts.count == 2, let value = Double(parts[1]) else {
                throw Failure("\(setting) is no setting: write a name, = and a number.")
            }
            let whole = Int(value)
            switch parts[0] {
            case "queryDensity": parameters.queryDensity = whole
            case "queryFanOut": parameters.queryFanOut = whole
            case "strongDensity": parameters.strongDensity = whole
            case "strongFanOut": parameters.strongFanOut = whole
            case "strongThirds": parameters.strongThirds = whole
            case "strongBlocks": parameters.strongBlocks = whole
            case "tripletBlocks": parameters.tripletBlocks = whole
            case "tripletEscalationBlocks": parameters.tripletEscalationBlocks = whole
            case "leastSegmentBlocks": parameters.leastSegmentBlocks = whole
            case "quickBlocks": parameters.quickBlocks = whole
            case "quickPlaces": parameters.quickPlaces = whole
            case "escalationBlocks": parameters.escalationBlocks = whole
            case "escalationPlaces": parameters.escalationPlaces = whole
            case "candidateCount": parameters.candidateCount = whole
            case "siftedPlaces": parameters.siftedPlaces = whole
            case "siftedEscalationPlaces": parameters.siftedEscalationPlaces = whole
            case "stopShare": parameters.stopShare = value
            case "leastStopBlocks": parameters.leastStopBlocks = whole
            case "blockBudget": parameters.blockBudget = whole
            case "pairLimit": parameters.pairLimit = whole
            case "secondLookLimit": parameters.secondLookLimit = whole
            case "mostLanes": parameters.mostLanes = whole
            case "leastLanePostings": parameters.leastLanePostings = whole
            case "sureEvidence": parameters.sureEvidence = value
            default: throw Failure("There is no number named \(parts[0]).")
            }
        }
        return parameters
    }
}
