import EarshotAPI
/// The version of AcoustID's protocol, which determines names. The first version has only XML, at `/lookup` and
/// `/submit`.
enum AcoustIDVersion: Sendable {
    case first, second

    /// The name of the parameter with the duration in seconds.
    var durationName: String { self == .first ? "length" : "duration" }
    /// The name of the parameter with the format of the file. In the second version, `format` is the format of the answer.
    var fileFormatName: String { self == .first ? "format" : "fileformat" }
    /// The name of the member with the recordings of a result.
    var recordingsName: String { self == .first ? "tracks" : "recordings" }
    /// The format of answers to requests that name none, or an unknown one.
    var standardFormat: AcoustIDFormat { self == .first ? .xml : .json }

    /// Returns the format that a request asks for; `nil` if it is unknown.
    func format(_ form: FormParameters) -> AcoustIDFormat? { self == .first ? .xml : AcoustIDFormat(form) }

    /// Returns the layout of a `meta` parameter. In the first version it is always the ids of recordings.
    func layout(_ meta: String?) -> AcoustIDLayout {
        guard self == .first, let meta, meta != "0" else { return AcoustIDLayout(meta) }
        return AcoustIDLayout("1")
    }
}
