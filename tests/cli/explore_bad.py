"""explore_bad.py: what the explorer refuses, and that it goes on afterwards."""
import json
import struct
import sys
import threading

from explore_client import Client, floats

c = Client(sys.argv[1])
good = floats([0.5, -1, 0, 2])
before = c.post("api/decode", good)


def show(what, method, path, body=None, headers=None):
    status, _, data = c.ask(method, path, body, headers)
    print(f"{what}: {status} {json.loads(data)['error'] if data else ''}")
    assert 400 <= status < 500


show("no such address", "GET", "api/nothing")
show("a file", "GET", "../../etc/passwd")
show("a file of the run", "GET", "config.json")
show("percent", "GET", "%2e%2e/%2e%2e/etc/passwd")
show("dots inside", "GET", "api/../../../etc/passwd")
show("a long address", "GET", "api/about?" + "a" * 3000)
show("POST where GET", "POST", "api/about", b"")
show("GET where POST", "GET", "api/decode")
show("DELETE", "DELETE", "")
show("unknown name", "GET", "api/column?k=0&x=1")
show("a name twice", "GET", "api/column?k=0&k=1")
show("no value", "GET", "api/column?k")
show("too large a number", "GET", "api/column?k=4")
show("a negative number", "GET", "api/column?k=-1")
show("no number", "GET", "api/column?k=one")
show("an overflow", "GET", "api/column?k=99999999999999999999999")
show("no such run", "POST", "api/decode?run=1", good)
show("an empty body", "POST", "api/decode", b"")
show("half a number", "POST", "api/decode", good[:-1])
show("half a row", "POST", "api/decode", good[:-4])
show("NaN", "POST", "api/decode", floats([0, 0, float("nan"), 0]))
show("infinite", "POST", "api/decode", floats([0, 0, float("inf"), 0]))
show("far away", "POST", "api/decode", floats([0, 0, 1e30, 0]))
show("too many rows", "POST", "api/decode", good * 257)
show("no such item", "POST", "api/items", struct.pack("<I", 500))
show("no such item", "GET", "api/place?item=500")
show("no attributes", "GET", "api/attribute?k=0")
show("too many samples", "GET", "api/sample?n=257")
show("an unknown kind", "POST", "api/export?as=exe", good)
show("two to export", "POST", "api/export", good * 2)
show("no image", "POST", "api/upload", b"GIF89a" + b"0" * 100)
show("half an image", "POST", "api/upload", open("page.png", "rb").read()[:80])
show("another host", "GET", "", None, {"Host": "evil.example"})
show("another host", "GET", "api/about", None, {"Host": "evil.example:80"})
show("another page", "POST", "api/decode", good, {"Origin": "http://evil.example"})
show("sandboxed page", "POST", "api/decode", good, {"Origin": "null"})
assert c.ask("GET", "", None, {"Host": f"localhost:{c.port}"})[0] == 200
assert c.ask("GET", "", None, {"Host": "[::1]:99"})[0] == 200, "a forwarded port"

host = b"Host: localhost\r\n"
raw = {
    "no Host": b"GET / HTTP/1.1\r\n\r\n",
    "no HTTP": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\0" * 80,
    "nonsense": b"hello\r\n\r\n",
    "a proxy's request": b"GET http://evil.example/ HTTP/1.1\r\n" + host + b"\r\n",
    "chunks": b"POST /api/decode HTTP/1.1\r\n" + host + b"Transfer-Encoding: chunked\r\n\r\n10\r\n" + good + b"\r\n0\r\n\r\n",
    "negative length": b"POST /api/decode HTTP/1.1\r\n" + host + b"Content-Length: -5\r\n\r\n",
    "a length of words": b"POST /api/decode HTTP/1.1\r\n" + host + b"Content-Length: many\r\n\r\n",
    "no length": b"POST /api/decode HTTP/1.1\r\n" + host + b"\r\n",
    "a huge length": b"POST /api/upload HTTP/1.1\r\n" + host + b"Content-Length: 99999999999\r\n\r\n",
    "a huge header": b"GET / HTTP/1.1\r\n" + host + b"X: " + b"y" * 100000 + b"\r\n\r\n",
    "a body that stops": b"POST /api/decode HTTP/1.1\r\n" + host + b"Content-Length: 16\r\n\r\nabc",
    "nothing": b"",
}
for what, data in raw.items():
    answer = c.raw(data)
    assert answer in ("closed", "silent") or 400 <= answer < 500, (what, answer)
assert c.raw(raw["a huge length"]) == 413 and c.raw(raw["no length"]) == 411
print(f"{len(raw)} kinds of bytes that are no good request: refused or closed")

# eight clients, each many requests; the answers do not mix
def work(k, wrong):
    body = floats([k / 4, -1, 0, 2])
    first = c.post("api/decode", body)
    for _ in range(40):
        if c.post("api/decode", body) != first:
            wrong.append(k)

wrong = []
threads = [threading.Thread(target=work, args=(k, wrong)) for k in range(8)]
for t in threads:
    t.start()
for t in threads:
    t.join()
assert not wrong
assert c.post("api/decode", good) == before
print("goes on as before")
