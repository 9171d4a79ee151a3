# A server over https on this machine for the tests of PictureFetch: each path is one thing that can happen. Prints its
# port when it is ready; ends when its standard input is closed.
import http.server, ssl, sys, threading, time

CERTIFICATE, KEY = sys.argv[1:3]
JPEG = b"\xff\xd8\xff\xe0" + b"j" * 48207
PNG = b"\x89PNG\r\n\x1a\n" + b"p" * 100
KINDS = {
    "/jpeg": JPEG, "/named.png": JPEG, "/png": PNG, "/gif": b"GIF89a" + b"g" * 100, "/webp": b"RIFF\x00\x00\x00\x00WEBP" + b"w" * 100,
    "/page": b"<!DOCTYPE html><html>Please log in</html>" + b" " * 100, "/tiny": b"\xff\xd8\xff", "/empty": b"",
    "/mp4": b"\x00\x00\x00\x18ftypisom" + b"m" * 100, "/unknown": b"nothing that anybody knows" * 9,
}


class Answer(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *words):
        pass

    def head(self, status, length=None, **fields):
        self.send_response(status)
        for name, value in fields.items():
            self.send_header(name.replace("_", "-"), value)
        if length is not None:
            self.send_header("Content-Length", str(length))
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True

    def lead(self, address):
        self.head(302, 0, Location=address)

    def do_GET(self):
        path = self.path.split("?")[0]
        if path in KINDS:
            self.head(200, len(KINDS[path]), Content_Type="image/../../../../evil")
            self.wfile.write(KINDS[path])
        elif path == "/to-jpeg":
            self.lead("/jpeg")
        elif path == "/to-http":
            self.lead("http://%s/jpeg" % self.headers["Host"])
        elif path == "/to-file":
            self.lead("file:///etc/passwd")
        elif path == "/to-private":
            self.lead("https://10.0.0.1/jpeg")
        elif path == "/to-linklocal":
            self.lead("https://169.254.169.254/latest/meta-data")
        elif path == "/to-private-v6":
            self.lead("https://[fd00::1]/jpeg")
        elif path == "/in-circles":
            self.lead("/in-circles")
        elif path == "/login":
            self.head(401, 6)
            self.wfile.write(b"log in")
        elif path == "/announced":
            self.head(200, 1 << 40)
        elif path == "/endless":
            self.head(200)
            self.wfile.write(JPEG)
            while True:
                self.wfile.write(b"e" * 65536)
        elif path == "/truncated":
            self.head(200, len(JPEG))
            self.wfile.write(JPEG[:20000])
        elif path == "/slow":
            self.head(200, len(JPEG))
            while True:
                self.wfile.write(JPEG[:1])
                time.sleep(0.05)
        elif path == "/silent":
            time.sleep(30)
        else:
            self.head(404, 0)


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, address):
        pass  # Whoever has seen enough hangs up.


server = Server(("127.0.0.1", 0), Answer)
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(CERTIFICATE, KEY)
server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(server.server_address[1], flush=True)
sys.stdin.read()
