import EarshotAPI
import EarshotCore

extension Endpoint.Parameter {
    /// Returns a text parameter of the query.
    static func text(_ name: String, _ summary: String, isRequired: Bool = false) -> Endpoint.Parameter {
        Endpoint.Parameter(
            name: name,
            schema: isRequired
                ? ["type": "string", "minLength": 1, "maxLength": 400] : ["type": "string", "maxLength": 400],
            summary: summary,
            isRequired: isRequired
        )
    }

    /// Returns a Boolean parameter of the query.
    static func flag(_ name: String, _ summary: String) -> Endpoint.Parameter {
        Endpoint.Parameter(name: name, schema: Schemas.flag, summary: "1: \(summary)")
    }

    /// The parameter by which the sender of a signature offers its spectrogram.
    static var moreEvidence: Endpoint.Parameter {
        Endpoint.Parameter(
            name: ServiceAPI.moreEvidence,
            schema: Schemas.flag,
            summary: """
                1: where the landmarks of a signature leave a doubt, fail with 422 and the code moreEvidence, so that the signature \
                is sent again with its spectrogram, without this parameter. Both together count once.
                """
        )
    }

    /// Returns the parameter for the identifier in a path.
    static func id(_ summary: String, name: String = "id") -> Endpoint.Parameter {
        Endpoint.Parameter(
            name: name,
            place: .path,
            schema: ["type": "string", "minLength": 1, "maxLength": 512],
            summary: summary,
            isRequired: true
        )
    }
}
