import AsyncHTTPClient
enum Stub {}
