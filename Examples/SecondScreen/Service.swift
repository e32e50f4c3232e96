import EarshotCatalogs
import EarshotClient
import EarshotCore
import EarshotRecognition
import Foundation

/// The recognition service at an address; nothing without one.
///
/// - Throws: `configurationInvalid` for an address or an identifier that cannot be one.
func recognitionService(_ address: String?, client: String?) throws -> (any RecognitionService)? {
    guard let address else { return nil }
    guard let url = URL(string: address), url.scheme != nil, let client else {
        throw EarshotError(
            .configurationInvalid,
            "The service cannot be asked: give --server http://… and --client ID-TAG, as its operator gave it."
        )
    }
    return HTTPRecognitionService(url, configuration: try ClientConfiguration(clientIdentifier: client))
}
