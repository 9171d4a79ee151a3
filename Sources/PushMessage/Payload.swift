// A message in its own wire format again, with what a decision changed.

public enum Payload {
    /// The bytes of the message as it came, with the changes written in their places; every other byte is as it was.
    public static func write(_ message: Message, applying changes: ContentChanges = .init()) -> [UInt8] {
        []
    }
}
