// Lets each piece that a client sends go out at once, so that the server gets it in pieces. For the tests that cut requests.
import Glibc

func setNoDelay(_ descriptor: Int32, _ on: inout Int32) {
    setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, 4)
}
