# A client that speaks TLS as the rest of the world does, by Python's ssl. `tls.py DEED PORT CERTIFICATE` does one deed and prints what it saw;
# whatever is not as it should be ends it with an error. Started by TLSTests.swift.
import resource
import socket
import ssl
import sys
import time

deed, port, authority = sys.argv[1], int(sys.argv[2]), sys.argv[3]


def context(**bounds):
    made = ssl.create_default_context(cafile=authority)
    made.set_alpn_protocols(["h2", "http/1.1"])
    for name, value in bounds.items():
        setattr(made, name, value)
    return made


def raw():
    return socket.create_connection(("127.0.0.1", port), timeout=20)


def connect(made=None):
    made = made or context()
    return made.wrap_socket(raw(), server_hostname="localhost", suppress_ragged_eofs=False)


def answer(file):
    status = int(file.readline().split()[1])
    fields = {}
    while (line := file.readline()) != b"\r\n":
        name, value = line.decode().split(":", 1)
        fields[name.lower()] = value.strip()
    if "content-length" in fields:
        return status, fields, file.read(int(fields["content-length"]))
    return status, fields, None


def chunk(file):
    size = int(file.readline(), 16)
    content = file.read(size)
    assert file.read(2) == b"\r\n"
    return content


def get(path):
    return f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()


def whole():
    body = bytes(range(256)) * 256
    with connect() as client:
        file = client.makefile("rb")
        for _ in range(3):
            client.sendall(b"POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 65536\r\n\r\n" + body)
            status, fields, content = answer(file)
            assert status == 200 and content == body, (status, len(content))
        # Many in one go.
        client.sendall(get("/short") * 200)
        for _ in range(200):
            assert answer(file)[2] == b"short"
        print(client.version(), client.selected_alpn_protocol(), client.compression())


def versions():
    for version in (ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3):
        with connect(context(minimum_version=version, maximum_version=version)) as client:
            client.sendall(get("/short"))
            assert answer(client.makefile("rb"))[2] == b"short"
            print(client.version(), client.cipher()[0].split("-")[0].split("_")[0])
    for version in (ssl.TLSVersion.TLSv1, ssl.TLSVersion.TLSv1_1):
        old = context()
        old.set_ciphers("DEFAULT@SECLEVEL=0")
        old.minimum_version = old.maximum_version = version
        refused(old)
    # Without forward secrecy.
    static = context(maximum_version=ssl.TLSVersion.TLSv1_2)
    static.set_ciphers("AES256-GCM-SHA384")
    refused(static)
    other = context()
    other.set_alpn_protocols(["h2"])
    refused(other)


def refused(made):
    try:
        connect(made)
    except (ssl.SSLError, ConnectionResetError) as error:
        print("refused", getattr(error, "reason", None) or "reset")
    else:
        raise AssertionError("this handshake should have been refused")


# An answer that is larger than all that systems and libraries hold, to a client that takes it slowly.
def large():
    client = socket.socket()
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    client.settimeout(20)
    client.connect(("127.0.0.1", port))
    with context().wrap_socket(client, server_hostname="localhost", suppress_ragged_eofs=False) as client:
        client.sendall(get("/large"))
        file = client.makefile("rb")
        time.sleep(0.2)
        status, fields, content = answer(file)
        expected = b"".join(number.to_bytes(4, "little") for number in range(len(content) // 4))
        assert content == expected, "the bytes are others"
        client.sendall(get("/short"))
        assert answer(file)[2] == b"short"
        print(len(content))


# Each line is answered before the next one is sent.
def stream():
    with connect() as client:
        file = client.makefile("rb")
        client.sendall(b"POST /lines HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n")
        for number in range(20):
            line = b"%d\n" % number
            client.sendall(b"%x\r\n%s\r\n" % (len(line), line))
            if number == 0:
                assert answer(file)[0] == 200
            assert chunk(file) == line
        client.sendall(b"0\r\n\r\n")
        assert chunk(file) == b""
        print("20 lines")


def events():
    with connect() as client:
        file = client.makefile("rb")
        client.sendall(get("/events"))
        assert answer(file)[1]["content-type"] == "text/event-stream"
        print(chunk(file).decode().strip())


# Says nothing, or a byte of a handshake now and then, until it is cut.
def slow():
    silent, dripping = raw(), raw()
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    hello = context().wrap_bio(incoming, outgoing, server_hostname="localhost")
    try:
        hello.do_handshake()
    except ssl.SSLWantReadError:
        pass
    for byte in outgoing.read():
        try:
            dripping.sendall(bytes([byte]))
            time.sleep(0.01)
        except (BrokenPipeError, ConnectionResetError):
            break
    for client in (silent, dripping):
        try:
            assert client.recv(1) == b""
        except ConnectionResetError:
            pass
    print("cut")


# What is no TLS, what stops in the middle of it, and a request as it is.
def strange():
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    hello = context().wrap_bio(incoming, outgoing, server_hostname="localhost")
    try:
        hello.do_handshake()
    except ssl.SSLWantReadError:
        pass
    begun = outgoing.read()
    for bytes_sent in (b"\x00\x01\x02\x03", b"\x16\x03\x01\xff\xff" + b"\xff" * 3000, begun[:100], begun[:-1] + b"\x00" + b"x" * 2000, b""):
        client = raw()
        client.sendall(bytes_sent)
        try:
            client.shutdown(socket.SHUT_WR)
            while client.recv(4096):
                pass
        except OSError:
            # It is gone already.
            pass
        client.close()
    # A handshake that is done, and then none of its bytes.
    with connect() as client:
        inner = socket.socket(fileno=client.detach())
        inner.sendall(b"GET / HTTP/1.1\r\n\r\n")
        inner.settimeout(20)
        try:
            while inner.recv(4096):
                pass
        except ConnectionResetError:
            pass
        inner.close()
    for request in (get("/short"), b"POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n" + b"a" * 100000):
        client = raw()
        client.sendall(request)
        file = client.makefile("rb")
        status, fields, content = answer(file)
        assert status == 400 and b"plain_http" in content and fields["connection"] == "close", (status, fields, content)
        assert file.read() == b""
    with connect() as client:
        client.sendall(get("/short"))
        print(answer(client.makefile("rb"))[2].decode())


# The farewell is one of TLS, so that nobody takes the end for an attack; and a client's own is heard.
def farewell():
    with connect() as client:
        file = client.makefile("rb")
        client.sendall(b"GET /short HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        assert answer(file)[2] == b"short"
        # Would raise where the end is not said.
        assert file.read() == b""
    with connect() as client:
        client.sendall(get("/short"))
        assert answer(client.makefile("rb"))[2] == b"short"
        inner = client.unwrap()
        assert inner.recv(1) == b""
    print("both")


def idle():
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    clients = [connect() for _ in range(int(sys.argv[4]) if len(sys.argv) > 4 else 1000)]
    print(len(clients), flush=True)
    sys.stdin.readline()
    for client in clients:
        client.sendall(get("/short"))
    for client in clients:
        assert answer(client.makefile("rb"))[2] == b"short"
    print("answered", flush=True)
    sys.stdin.readline()


# A request that is being answered, a stream of lines and one of events when the server ends: each has its end, and that of TLS.
def drain():
    request, lines, listener = connect(), connect(), connect()
    request.sendall(get("/later"))
    lines.sendall(b"POST /lines HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n2\r\na\n\r\n")
    listener.sendall(get("/events"))
    files = [client.makefile("rb") for client in (request, lines, listener)]
    assert answer(files[1])[0] == 200 and chunk(files[1]) == b"a\n"
    assert answer(files[2])[0] == 200 and chunk(files[2]) == b"data: 1\n\n"
    print("open", flush=True)
    sys.stdin.readline()
    status, fields, content = answer(files[0])
    assert status == 200 and content == b"late" and fields["connection"] == "close", (status, fields, content)
    for file in files[1:]:
        assert chunk(file) == b"bye\n"
        assert chunk(file) == b""
    # Would raise where the end is not said.
    assert [file.read() for file in files] == [b"", b"", b""]
    for client in (request, lines, listener):
        client.close()
    print("ended")


# One connection before another certificate is there, and one after.
def rotation():
    first = connect()
    print(first.getpeercert()["subject"][0][0][1], flush=True)
    second_authority = sys.stdin.readline().strip()
    first.sendall(get("/short"))
    assert answer(first.makefile("rb"))[2] == b"short"
    with ssl.create_default_context(cafile=second_authority).wrap_socket(raw(), server_hostname="localhost") as client:
        print(client.getpeercert()["subject"][0][0][1], flush=True)


{f.__name__: f for f in (whole, versions, large, stream, events, slow, strange, farewell, idle, drain, rotation)}[deed]()
