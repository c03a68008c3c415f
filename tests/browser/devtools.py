"""devtools.py: a headless Chromium, driven over its DevTools pipe with nothing but the standard library."""
import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time


def find_chromium():
    for name in ("chromium", "chromium-browser", "google-chrome"):
        path = shutil.which(name)
        if path:
            return path
    return None


class Failure(Exception):
    pass


class Browser:
    """One tab.  Every wait ends: nothing here can hang for longer than `patience` seconds."""

    def __init__(self, width=1280, height=900, patience=300, webgl=False):
        self.patience = patience
        # a graphics card played by a program can do WebGL, but takes its time for everything else
        graphics = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader"] if webgl else ["--disable-gpu"]
        self.profile = tempfile.mkdtemp(prefix="eccentric-browser-")
        ours_out, theirs_in = os.pipe()[::-1]
        theirs_out, ours_in = os.pipe()[::-1]
        # Chromium reads commands from descriptor 3 and writes answers to 4
        def place():
            a, b = os.dup(theirs_in), os.dup(theirs_out)
            os.dup2(a, 3)
            os.dup2(b, 4)
        self.process = subprocess.Popen(
            [find_chromium(), "--headless=new", "--remote-debugging-pipe", "--no-sandbox",
             *graphics,
             "--disable-dev-shm-usage", "--no-first-run", "--no-default-browser-check", "--disable-extensions",
             "--disable-background-networking", "--disable-component-update", "--disable-sync", "--mute-audio",
             "--hide-scrollbars", "--user-data-dir=" + self.profile, f"--window-size={width},{height}", "about:blank"],
            preexec_fn=place, close_fds=False, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        os.close(theirs_in)
        os.close(theirs_out)
        self.out, self.into = ours_out, ours_in
        self.buffer = b""
        self.number = 0
        self.session = None
        self.problems = []  # what the page complained about
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(domain + ".enable")

    def close(self):
        self.process.kill()
        self.process.wait()
        shutil.rmtree(self.profile, ignore_errors=True)

    def _receive(self, deadline):
        while b"\0" not in self.buffer:
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([self.into], [], [], left)[0]:
                raise Failure("the browser does not answer")
            part = os.read(self.into, 1 << 20)
            if not part:
                raise Failure("the browser has gone")
            self.buffer += part
        message, self.buffer = self.buffer.split(b"\0", 1)
        message = json.loads(message)
        if message.get("method") == "Runtime.exceptionThrown":
            self.problems.append(message["params"]["exceptionDetails"].get("exception", {}).get("description", "?"))
        if message.get("method") == "Log.entryAdded" and message["params"]["entry"]["level"] == "error":
            self.problems.append(message["params"]["entry"]["text"] + " " + message["params"]["entry"].get("url", ""))
        return message

    def call(self, method, **params):
        self.number += 1
        command = {"id": self.number, "method": method, "params": params}
        if self.session:
            command["sessionId"] = self.session
        data = json.dumps(command).encode() + b"\0"
        while data:
            data = data[os.write(self.out, data):]
        deadline = time.monotonic() + self.patience
        while True:
            message = self._receive(deadline)
            if message.get("id") == self.number:
                if "error" in message:
                    raise Failure(f"{method}: {message['error']['message']}")
                return message["result"]

    def run(self, script):
        """The value of an expression; promises are waited for."""
        result = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            raise Failure(result["exceptionDetails"].get("exception", {}).get("description", str(result)))
        return result["result"].get("value")

    def wait(self, script, what):
        deadline = time.monotonic() + self.patience
        while not self.run(script):
            if time.monotonic() > deadline:
                raise Failure("waited in vain for " + what)
            time.sleep(0.05)

    def size(self, width, height, scale=1, phone=False):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=phone)

    def dark(self, on):
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark" if on else "light"}])

    def open(self, url):
        self.call("Page.navigate", url=url)

    def key(self, key, code=None, modifiers=0):
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=code or key, modifiers=modifiers,
                      **({"text": key} if kind == "keyDown" and len(key) == 1 and not modifiers else {}))

    def mouse(self, kind, x, y, buttons=0, clicks=1, **more):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left" if buttons or kind == "mouseReleased" else "none",
                  buttons=buttons, clickCount=clicks, **more)

    def screenshot(self, path, whole=False):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole)["data"]))
