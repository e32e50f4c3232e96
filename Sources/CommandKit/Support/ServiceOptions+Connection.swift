#if Service
    package import EarshotClient
    import EarshotCore
    import EarshotMusic
    package import EarshotRecognition
    import Foundation

    extension ServiceOptions {
        /// The service, and what is wanted of it.
        package func connect(
            language: String? = nil,
            country: String? = nil,
            sendsSpectrograms: Bool = false,
            _ change: (inout ClientConfiguration) throws -> Void = { _ in }
        ) throws -> (HTTPRecognitionService, ContentPreferences) {
            guard let address else {
                throw EarshotError(
                    .configurationInvalid,
                    "No service is named: give --server with its address, or set EARSHOT_SERVER."
                )
            }
            guard let url = URL(string: address), ["http", "https"].contains(url.scheme?.lowercased()) else {
                throw EarshotError(
                    .configurationInvalid,
                    "\(address) is no address of a service: --server takes one that begins with http:// or https://."
                )
            }
            guard let identifier else {
                throw EarshotError(
                    .configurationInvalid,
                    "There is no client identifier: give --client ID-TAG as the operator of the service gave it."
                )
            }
            var configuration = try ClientConfiguration(clientIdentifier: identifier)
            // Two letters of a language are taken too, as where music is looked up on this machine.
            if let language {
                try configuration.setValue(ISOCodes.language(language) ?? language, forKey: "content.lang")
            }
            if let country { try configuration.setValue(country, forKey: "content.country") }
            try change(&configuration)
            var options = HTTPRecognitionService.Options()
            options.sendsSpectrograms = sendsSpectrograms
            let service = HTTPRecognitionService(url, configuration: configuration, options: options)
            return (service, configuration.preferences)
        }
    }
#endif
