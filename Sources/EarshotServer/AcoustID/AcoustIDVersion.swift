import EarshotAPI
/// The version of AcoustID's protocol, which determines names. The first version has only XML, at `/lookup` and
/// `/submit`.
enum AcoustIDVersion: Sendable {
    case first, second

    /// The parameter with a duration in seconds.
    var durationName: String { self == .first ? "length" : "duration" }
    /// The parameter with the kind of file that was read; in the second version `format` is that of the answer.
    var fileFormatName: String { self == .first ? "format" : "fileformat" }
    /// The member of a result that has its recordings.
    var recordingsName: String { self == .first ? "tracks" : "recordings" }
    /// The format of answers before it is known which is wanted.
    var standardFormat: AcoustIDFormat { self == .first ? .xml : .json }

    /// Returns the format that a request asks for; `nil` if it is unknown.
    func format(_ form: FormParameters) -> AcoustIDFormat? { self == .first ? .xml : AcoustIDFormat(form) }

    /// Returns the layout of a `meta` parameter. In the first version it is always the ids of recordings.
    func layout(_ meta: String?) -> AcoustIDLayout {
        guard self == .first, let meta, meta != "0" else { return AcoustIDLayout(meta) }
        return AcoustIDLayout("1")
    }
}
