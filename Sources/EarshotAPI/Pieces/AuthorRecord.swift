public import Foundation

/// The author as whom a user publishes pieces.
package struct AuthorRecord: Hashable, Sendable, Codable {
    /// The unique name that pieces are published under: 2 to 40 code points. Case does not distinguish names.
    package var name: String

    /// Creates a record.
    package init(name: String) {
        self.name = name
    }
}

/// A change of the author as whom a user publishes pieces: `PUT /v1/author`.
package struct AuthorChange: Hashable, Sendable, Codable, CustomStringConvertible, CustomReflectable {
    /// The unique name that pieces are published under: 2 to 40 code points. Case does not distinguish names.
    package var name: String
    /// The new password, 8 to 200 code points; `nil` for no change.
    package var password: String?
    /// The current password, required to change it; `nil` if the password is not changed.
    package var currentPassword: String?

    /// Creates a change of an author.
    package init(name: String, password: String? = nil, currentPassword: String? = nil) {
        self.name = name
        self.password = password
        self.currentPassword = currentPassword
    }

    /// The name; the passwords are left out.
    package var description: String { "the author \(name)" }
    /// The name only; the passwords are left out.
    package var customMirror: Mirror { Mirror(self, children: ["name": name]) }
}

/// A request to exchange the code of a login for a user: `POST /v1/authorizations`.
package struct AuthorizationRequest: Hashable, Sendable, Codable {
    /// The code from the address that the browser was redirected to.
    package var code: String
    /// The verifier of the challenge in the address of the login page (RFC 7636); `nil` if that had no challenge.
    package var codeVerifier: String?
    /// The user that the app had before, in serialized form, whose history continues; `nil` for a new user.
    package var user: String?

    /// Creates a request.
    package init(code: String, codeVerifier: String? = nil, user: String? = nil) {
        self.code = code
        self.codeVerifier = codeVerifier
        self.user = user
    }
}

/// The response with a user who has logged in.
package struct AuthorizationAnswer: Hashable, Sendable, Codable {
    /// The user in the form that an app stores and sends in token requests: a secret.
    package var user: String
    /// The name of the author under which the user publishes.
    package var author: String

    /// Creates a response.
    package init(user: String, author: String) {
        self.user = user
        self.author = author
    }
}

/// The codes for a login on a device without a browser: `POST /v1/device-authorizations`.
public struct DeviceAuthorization: Hashable, Sendable, Codable {
    /// The secret with which the device polls `POST /v1/device-authorizations/answer`.
    public var deviceCode: String
    /// The code that the user enters on another device.
    public var userCode: String
    /// The address of the page on which the user enters the code.
    public var address: URL
    /// The time that the device waits between two requests, in seconds.
    public var interval: Int
    /// The validity of the codes, in seconds.
    public var expiresIn: Int

    /// Creates a response.
    package init(deviceCode: String, userCode: String, address: URL, interval: Int, expiresIn: Int) {
        self.deviceCode = deviceCode
        self.userCode = userCode
        self.address = address
        self.interval = interval
        self.expiresIn = expiresIn
    }
}

/// A request by which a device polls for the end of a login. The service answers 202 without content until the user has
/// logged in.
package struct DeviceQuestion: Hashable, Sendable, Codable {
    /// The secret ``DeviceAuthorization/deviceCode`` of the device.
    package var deviceCode: String
    /// The user that the app had before, in serialized form, whose history continues; `nil` for a new user.
    package var user: String?

    /// Creates a request.
    package init(deviceCode: String, user: String? = nil) {
        self.deviceCode = deviceCode
        self.user = user
    }
}

/// An app that is registered to open pieces.
package struct ApplicationRecord: Hashable, Sendable, Codable {
    /// The application identifier, in lower case, which is part of the URL scheme of the app's addresses.
    package var identifier: String
    /// The display name of the app.
    package var name: String
    /// The address of a page from which users get the app; `nil` if none is given.
    package var site: URL?
    /// The identifier of the client with which the app makes requests, sent to the operator only; `nil` for others.
    package var client: String?

    /// Creates a record.
    package init(identifier: String, name: String, site: URL? = nil, client: String? = nil) {
        self.identifier = identifier
        self.name = name
        self.site = site
        self.client = client
    }
}
