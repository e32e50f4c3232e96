import Foundation

/// A certificate for 127.0.0.1, signed by itself, and its key. They protect nothing.
struct TestCertificate {
    let certificate: String
    let key: String

    /// Writes both into a folder.
    func write(_ folder: URL) throws {
        try Data(certificate.utf8).write(to: Self.certificateFile(folder))
        try Data(key.utf8).write(to: Self.keyFile(folder))
    }

    static func certificateFile(_ folder: URL) -> URL { folder.appendingPathComponent("certificate.pem") }
    static func keyFile(_ folder: URL) -> URL { folder.appendingPathComponent("key.pem") }

    /// Its key begins with the parameters of its curve, as `openssl ecparam -genkey` writes them.
    static let first = TestCertificate(
        certificate: """
            -----BEGIN CERTIFICATE-----
            MIIBbjCCAROgAwIBAgIIfy3gWvSLAqgwCgYIKoZIzj0EAwIwGTEXMBUGA1UEAwwO
            ZWFyc2hvdCB0ZXN0IGEwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBa
            MBkxFzAVBgNVBAMMDmVhcnNob3QgdGVzdCBhMFkwEwYHKoZIzj0CAQYIKoZIzj0D
            AQcDQgAEmuH17rsFULGcjcGgEdnBpl+C1QTYs8VmAVG0VbHvY0Ex7aVXyMuu5SY+
            DK3RhbdQiFWDGgs7qxkAnY6oUXWYKKNDMEEwDwYDVR0RBAgwBocEfwAAATAPBgNV
            HRMBAf8EBTADAQH/MB0GA1UdDgQWBBRCiTfBqawbWvqHMeJcYnBij5gA0TAKBggq
            hkjOPQQDAgNJADBGAiEAgcH3+B9APS7b/Qp7IaN6z+5zYUW7ZbT+iHQPXvoWqKQC
            IQDWbf7+cVBNueS1EpZ6SBIN/huEN7VHlH9kA24vsUauvQ==
            -----END CERTIFICATE-----
            """,
        key: """
            -----BEGIN EC PARAMETERS-----
            BggqhkjOPQMBBw==
            -----END EC PARAMETERS-----
            -----BEGIN EC PRIVATE KEY-----
            MHcCAQEEIJtBFc2ZiPLkoSFzEtosgUMjc46nSOJT6Ldpd/PurXUloAoGCCqGSM49
            AwEHoUQDQgAEmuH17rsFULGcjcGgEdnBpl+C1QTYs8VmAVG0VbHvY0Ex7aVXyMuu
            5SY+DK3RhbdQiFWDGgs7qxkAnY6oUXWYKA==
            -----END EC PRIVATE KEY-----
            """
    )

    static let second = TestCertificate(
        certificate: """
            -----BEGIN CERTIFICATE-----
            MIIBbTCCAROgAwIBAgIILYaKEXanb/EwCgYIKoZIzj0EAwIwGTEXMBUGA1UEAwwO
            ZWFyc2hvdCB0ZXN0IGIwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBa
            MBkxFzAVBgNVBAMMDmVhcnNob3QgdGVzdCBiMFkwEwYHKoZIzj0CAQYIKoZIzj0D
            AQcDQgAEmJyuIALw/JbyWbV4eZprn26FOLnlSsq8lTI9K9+qqGhd82GdweW6vKbP
            aEq6iCR4huEAJMsyhnBmOyqFDMERcaNDMEEwDwYDVR0RBAgwBocEfwAAATAPBgNV
            HRMBAf8EBTADAQH/MB0GA1UdDgQWBBQJRc+P0KrizF9pXt42dmtu49I/qTAKBggq
            hkjOPQQDAgNIADBFAiBqh/ng9qL1xVq71qt0QIC/ngLhGjjhgznH0MJNt/CaQAIh
            ANFz5T6IEqb57sA6jvJYFGUJdTSM9gVllab5YIiPpZ+9
            -----END CERTIFICATE-----
            """,
        key: """
            -----BEGIN PRIVATE KEY-----
            MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgHgJGtg3J71kHBf1n
            qLp3ffFRu0RMzbQzlhQzf7OxyCihRANCAASYnK4gAvD8lvJZtXh5mmufboU4ueVK
            yryVMj0r36qoaF3zYZ3B5bq8ps9oSrqIJHiG4QAkyzKGcGY7KoUMwRFx
            -----END PRIVATE KEY-----
            """
    )
}
