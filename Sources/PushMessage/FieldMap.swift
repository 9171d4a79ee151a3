// Where an app keeps fields of the normalised message that its senders put into places of their own.

public struct FieldMap: Sendable, Equatable {
    struct Entry: Sendable, Equatable {
        let field: MessageField
        let paths: [FieldPath]
    }

    /// Of one field. Every message is searched for all of them.
    public static let mostPaths = 16

    let entries: [Entry]

    /// Names of fields with the paths that are tried for them, in order. The first entry of a field counts. Names
    /// that are no field, or one that cannot be mapped (`MessageField.isMappable`), are left out: whoever reads a
    /// manifest reports them.
    public init(_ entries: [(field: String, paths: [FieldPath])]) {
        var known = Set<MessageField>()
        self.entries = entries.compactMap { entry in
            guard let field = MessageField(name: entry.field), field.isMappable, known.insert(field).inserted else {
                return nil
            }
            return Entry(field: field, paths: entry.paths)
        }
    }

    public static let none = FieldMap([])

    public var isEmpty: Bool { entries.isEmpty }

    /// The paths that are tried for a field, as the app wrote them; empty when it has none of its own.
    public func places(of field: MessageField) -> [String] {
        entries.first { $0.field == field }?.paths.map(\.text) ?? []
    }
}
