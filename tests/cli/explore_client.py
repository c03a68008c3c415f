"""explore_client.py: a client of the explorer for its tests, with the standard library."""
import http.client
import json
import socket
import struct
import urllib.parse


class Client:
    def __init__(self, file):
        self.url = json.load(open(file))["url"]
        parts = urllib.parse.urlsplit(self.url)
        self.port, self.path = parts.port, parts.path
        self.host = "127.0.0.1"

    def ask(self, method, path, body=None, headers=None, absolute=False):
        """(status, headers, bytes)"""
        c = http.client.HTTPConnection(self.host, self.port, timeout=60)
        c.request(method, path if absolute else self.path + path, body, headers or {})
        r = c.getresponse()
        data = r.read()
        c.close()
        return r.status, dict((k.lower(), v) for k, v in r.getheaders()), data

    def get(self, path):
        status, _, data = self.ask("GET", path)
        assert status == 200, (path, status, data)
        return data

    def post(self, path, body):
        status, _, data = self.ask("POST", path, body)
        assert status == 200, (path, status, data)
        return data

    def json(self, path):
        return json.loads(self.get(path))

    def raw(self, data, wait=20):
        """The status line's code that any bytes get, or what happens instead."""
        s = socket.create_connection((self.host, self.port), timeout=wait)
        try:
            s.sendall(data)
            s.shutdown(socket.SHUT_WR)
            answer = b""
            while True:
                part = s.recv(65536)
                if not part:
                    break
                answer += part
        except socket.timeout:
            return "silent"
        except OSError:
            return "closed"
        finally:
            s.close()
        if not answer:
            return "closed"
        return int(answer.split()[1])


def floats(*rows):
    flat = [v for row in rows for v in row]
    return struct.pack(f"<{len(flat)}f", *flat)
