// The files of zones as bytes: for a process that may open none, and for the one that hands them to it.
internal import CTimeZone

public enum ZoneFiles {
    /// What the system's file of a zone holds; with an empty name the names of all zones, a line each. Empty: there is none.
    public static func bytes(of name: String) -> [UInt8] {
        var name = name
        return unsafe [UInt8](unsafeUninitializedCapacity: Int(CTZ_LARGEST_FILE)) { room, count in
            count = name.withUTF8 { name in
                unsafe name.withMemoryRebound(to: CChar.self) { name in
                    unsafe room.withMemoryRebound(to: CChar.self) { room in
                        guard let start = room.baseAddress else { return 0 }
                        return unsafe ctz_zone_file(name.baseAddress, name.count, start, room.count)
                    }
                }
            }
        }
    }

    /// Writes the bytes of what is named by the first pair into the second; says how many, 0 for none.
    public typealias Fetch = @convention(c) (UnsafePointer<CChar>, Int, UnsafeMutablePointer<CChar>, Int) -> Int

    /// From now on zones come from there, in this process. Called once, before any zone is asked for.
    public static func come(from fetch: Fetch) { unsafe ctz_zones_from(fetch) }
}
