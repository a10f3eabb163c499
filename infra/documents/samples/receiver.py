"""Hears what happens at the license service. Needs Python 3.9 or newer, and nothing else.

    WEBHOOK_SECRET=whsec_... PORT=8080 python3 receiver.py

In front of it something of yours speaks https on port 443.
"""
import base64
import hashlib
import hmac
import json
import os
import re
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = base64.b64decode(os.environ["WEBHOOK_SECRET"].removeprefix("whsec_"), validate=True)
TOLERANCE_SECONDS = 300
LONGEST = 65_536
# The ids of what was heard. Keep them in your database, and the event with them, before you answer.
heard = set()
lock = threading.Lock()

# What you do about each: keep books, tell your forum, call someone. Here it is said.
REACTIONS = {
    "license.issued": "License {license_id} was issued: {status}",
    "license.status_changed": "License {license_id} was {previous_status}: {status}",
    "license.changed": "License {license_id} was changed: {cause}",
    "order.paid": "Order {order_id} was paid: {amount} {currency}",
    "order.refunded": "Order {order_id} was refunded: {amount_refunded} {currency}",
    "order.disputed": "Order {order_id} is disputed: {amount} {currency}",
    "order.dispute_closed": "Order {order_id} is disputed no more: {outcome}",
    "activation.created": "License {license_id} has devices: {activation_count}",
    "activation.released": "License {license_id} has fewer devices: {activation_count}",
    "activation.refused": "License {license_id} refused a device: {code}",
    "product.reviewed": "Product {product_id} was reviewed: {decision}",
    "product_file.reviewed": "File {file_id} was reviewed: {decision}",
    "release.reviewed": "Release {version} was reviewed: {status}",
    "release.published": "Release {version} is out: {status}",
    "release.yanked": "Release {version} was withdrawn: {status}",
    "test": "Endpoint {endpoint_id} is reached",
}


def is_ours(message_id, timestamp, signatures, body):
    """Whether this very message was signed with the secret, and not long ago."""
    if not message_id or not re.fullmatch("[0-9]{1,12}", timestamp):
        return False
    if abs(int(time.time()) - int(timestamp)) > TOLERANCE_SECONDS:
        return False
    signed = f"{message_id}.{timestamp}.".encode("latin-1") + body
    expected = b"v1," + base64.b64encode(hmac.new(SECRET, signed, hashlib.sha256).digest())
    # Two while a secret is being replaced. Each is compared in constant time.
    return any([hmac.compare_digest(expected, one.encode("latin-1")) for one in signatures.split(" ")])


def react(event):
    """After the answer, which must not wait for it. Types that you do not know may come one day."""
    kind, data = event.get("type"), event.get("data", {})
    print(REACTIONS[kind].format(**data) if kind in REACTIONS else f"Nothing to do: {kind}", flush=True)


class Receiver(BaseHTTPRequestHandler):
    timeout = 10

    def do_POST(self):
        length = self.headers.get("content-length", "")
        if not re.fullmatch("[0-9]{1,12}", length) or int(length) > LONGEST:
            return self.answer(413)
        body = self.rfile.read(int(length))
        message_id, timestamp, signatures = [self.headers.get(f"webhook-{name}", "") for name in ("id", "timestamp", "signature")]
        if not is_ours(message_id, timestamp, signatures, body):
            return self.answer(400)  # What is not ours leaves no trace.
        with lock:
            is_new = message_id not in heard
            heard.add(message_id)
        self.answer(204)
        if is_new:
            react(json.loads(body))

    def answer(self, status):
        self.send_response(status)
        self.end_headers()

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", 8080))), Receiver)
print("Listening:", server.server_address, flush=True)
server.serve_forever()
