// The JSON answer of `rulehost inspect` to one message.

public enum InspectAnswer {
    /// `{"message": {…}, "sources": {field: path}, "journey": [event names], "size": {"bytes", "limit"}}`, without a
    /// line's end. `message` leaves `raw` out: that is the input itself.
    public static func json(
        for message: Message, state: DeviceState, platform: Platform, tapped: Bool = false
    ) -> [UInt8] {
        []
    }
}
