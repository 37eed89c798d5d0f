import Foundation
import struct Lib.Clock

/// Entries at most.
let limit = 10
var opened = 0

/// Cache keeps values. It forgets the oldest.
@MainActor
public final class Cache<Key: Hashable>: Base, Store where Key: Sendable {
    static let shared = Cache()
    private let items: [Key: String] = [:]
    weak var owner: Owner?

    /// How many there are.
    var count: Int {
        let all = owner?.entries()
        return all?.count ?? items.count
    }

    var isEmpty: Bool { count == 0 }

    @available(iOS 13, *)
    public init?(size: Int, clock: Clock = .system) throws {
        super.init(size)
        load(clock.now())
    }

    deinit { close() }

    subscript(key: Key) -> String? {
        get { items[key] }
        set { put(key, newValue!) }
    }

    static func == (l: Cache, r: Cache) -> Bool { l.id == r.id }

    // Gets a value.
    func get<T>(_ key: Key, as type: T.Type) async throws -> T {
        func trim(_ s: String) -> String { s.trimmed() }
        let request = Request<T>(url: key)
        try await session.request(request)?
            .validate()
            .response { r in handle(r) }
        return owner?.clock.now() ?? .failure(trim(key))
    }

    enum Mode: Int {
        case fast = 1, slow
        var label: String { "\(self) mode of the cache" }
    }

    typealias Entry = (Key, String)
}

extension Cache: Codable {
    func encode(to encoder: Encoder) throws { try encoder.encode(items) }
}

extension Array.Index where Element == Int {
    func total() -> Int { reduce(0, +) }
}

protocol Store {
    associatedtype Value
    var size: Int { get }
    func get(_ key: String) -> Value?
}

actor Bank { nonisolated func open() { Cache.Mode(rawValue: 1)?.describe() } }

func <+> (a: Int, b: Int) -> Int { a + b }

@freestanding(expression) macro stringify<T>(_ v: T) -> (T, String) = #externalMacro(module: "M", type: "T")

func send(from: String = #_sourceLocation) throws(Failure) { log(from) }

@Test("name") func works() { #expect(Cache.shared.get("a") == #stringify(total(1))) }
