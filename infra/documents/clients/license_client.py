# SPDX-License-Identifier: MIT-0
# Copyright 2026 the authors of the license service
#
# Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated
# documentation files (the "Software"), to deal in the Software without restriction, including without limitation the
# rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
# persons to whom the Software is furnished to do so.
#
# THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
# WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
# COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
# OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.

"""Licenses for an app: activates a device, keeps our signed lease, and decides offline by it.

    from license_client import LicenseClient

    client = LicenseClient(
        base_url="https://api.example.com",
        product_id="prd_01KG9T3W6P9RA5Y8S4C7E1G2JK",
        keys=[{"kid": "…", "x": "…", "y": "…"}, {"kid": "…", "x": "…", "y": "…"}],
        app_name="Example App",
    )
    status = client.check()  # at the start
    if status.code == "no_license":
        status = client.activate(input("License key: "))
    if not status.allowed:
        sys.exit(status.message)
    stop = client.watch(lambda later: None if later.allowed else show(later.message))  # daily, and when the device wakes up

Needs Python 3.9 or later and `pip install cryptography`, since the standard library has no ECDSA.
Pin two keys of /.well-known/jwks.json in your build: the one that signs and the next. Keys that come
over the network are never trusted. Requests go through the proxy of the system (urllib: HTTPS_PROXY,
NO_PROXY, or the settings of macOS and Windows) and trust the system's certificates.
Calls wait for the network, up to 40 seconds: make them beside the user interface.
"""

import base64
import contextlib
import hashlib
import http.client
import json
import math
import os
import random
import secrets
import ssl
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from dataclasses import dataclass, field, replace
from datetime import datetime, timezone
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256

ATTEMPTS = 3
ATTEMPT_SECONDS = 10
LONGEST_RETRY_AFTER = 5
LARGEST_REPLY = 128 * 1024
LONGEST_LEASE = 64 * 1024
CLOCK_TOLERANCE = 300
HOUR, DAY = 3_600, 86_400

# What to tell the user about each code. The client puts a date of ISO 8601 and the address of the page for buyers into it.
messages = {
    "valid": "This app is licensed.",
    "activated": "This device is now activated.",
    "already_activated": "This device is activated.",
    "deactivated": "This device is no longer activated.",
    "not_activated": "This device was not activated.",
    "license_key_malformed": "This license key seems to be mistyped or incomplete. Please look at it again, or paste it.",
    "license_not_found": "This license key is not known for this app.",
    "license_replaced": "This license key was replaced by a new one. Please enter the new key.",
    "license_revoked": "This license was revoked. Please contact support.",
    "license_refunded": "This license was refunded.",
    "license_disputed": "The payment of this license is disputed. It works again once the dispute is settled.",
    "license_suspended": "This license is on hold. Please contact support.",
    "license_expired": "This license has expired.",
    "activation_limit_exceeded": "All seats of this license are taken. Release a device that you no longer use at {manage}.",
    "deactivation_not_allowed": "This license cannot be moved to another device.",
    "lease_valid": "This app is licensed. The license will be checked again online.",
    "licensed_until": "This app is licensed until {date}.",
    "lease_expired": "The license has not been confirmed for too long. Please connect to the internet once.",
    "clock_set_back": "The clock of this device seems to be wrong. Please correct it, and connect to the internet once.",
    "lease_refused": "This license file is not for this app on this device.",
    "test_key_refused": "This license is for testing, and only builds with the option allowTestKeys take it. Please enter your own license key.",
    "no_license": "Please enter your license key.",
    "not_stored": "The license cannot be stored on this device. Please free disk space, or let this app write to its folder, and try again.",
    "unreachable": "The license cannot be checked now. Please connect to the internet and try again.",
    "request_refused": "The license could not be checked. Please contact support.",
}


@dataclass(frozen=True)
class Status:
    """Whether the app may run, and what to tell the user."""

    allowed: bool
    code: str
    message: str
    source: str = "none"  # who decided: "service", "lease" or "none"
    until: "int | None" = None  # when the lease that is kept ends, in seconds since 1970
    features: list = field(default_factory=list)
    # How many devices have a seat, of how many, and when the license itself ends (ISO 8601): where the service has just said so.
    seats: "int | None" = None
    limit: "int | None" = None
    expires_at: "str | None" = None
    updates_until: "int | None" = None  # until when updates come, in seconds since 1970; None: without end
    ask_online: bool = False  # decided without the service: call check() again once there is a network

    def covers(self, released_at):
        """Whether the license may run a build that was released at this time, in seconds since 1970."""
        return self.allowed and (self.updates_until is None or released_at <= self.updates_until)


class LicenseClient:
    """One license of one product on this device. Methods return a Status; only make_request_code() raises, where nothing can be stored."""

    def __init__(self, base_url, product_id, keys, *, app_name=None, storage=None, app_version=None,
                 device_label=None, clock=time.time, require_lease=False, allow_test_keys=False, look_every=60):
        """`storage`: a path, or anything with load() and save(text); by default a file in the user's own folder for `app_name`.

        Where several processes may run at once, a storage of your own needs what else FileStorage has, too.

        `require_lease`: a reply without a lease that verifies counts as none.
        `allow_test_keys`: test keys are taken, too; in builds for yourself alone.
        `look_every`: seconds between two looks of watch() at the clock.
        """
        self._issuer = base_url.rstrip("/")
        self._product_id = product_id
        self._keys = keys
        storage = storage or default_place(app_name or product_id)
        self._storage = storage if hasattr(storage, "load") else FileStorage(storage)
        self._app_version = app_version
        self._device_label = device_label
        self._clock = lambda: int(clock())
        self._require_lease = require_lease
        self._allow_test_keys = allow_test_keys
        self._look_every = look_every
        self._lock = threading.RLock()

    def activate(self, key):
        """Takes a seat for this device, with the key as the user typed it. Without a reply it is kept, and tried again by check()."""
        if not self._can_keep(key):
            return self._with_code(self.check_offline(), "not_stored")
        reply = self._ask_for_seat(key)
        if not reply.kind:
            return self._unanswered(key)
        if "pending_key" in self._load():
            self._save(pending_key=None)
        if reply.kind == "answer":
            return self._granted(key, reply) if reply.body["valid"] else self._refused(key, reply)
        if reply.code == "activation_limit_exceeded":
            return self._denied(key, reply)
        return self._with_code(self.check_offline(), "request_refused")

    def check(self):
        """Asks the service, at start and daily; goes by the lease where there is no answer."""
        state = self._load()
        key = state.get("license_key")
        if "pending_key" in state:
            return self.activate(state["pending_key"])
        if key is None:
            return self.check_offline()
        if self._fingerprint() is None:
            return self._with_code(self.check_offline(), "not_stored")
        reply = self._ask_for_lease("validate", key)
        if reply.kind != "answer":
            return self.check_offline()
        if not reply.body["valid"]:
            return self._refused(key, reply)
        if reply.body.get("device_activated") is False:
            return self.activate(key)
        return self._granted(key, reply)

    def watch(self, show):
        """Checks about once a day, when the device woke up, and each hour while the service does not answer.

        It does so in a thread of its own, which calls show(status). Returns what ends it.
        """
        over = threading.Event()

        def look():
            seen = self._clock()
            due = seen + around(DAY)
            while not over.wait(self._look_every):
                now = self._clock()
                has_jumped, seen = abs(now - seen) > CLOCK_TOLERANCE, now
                if now < due and not has_jumped:
                    continue
                try:
                    status = self.check()
                except OSError:
                    status = None
                due = now + around(HOUR if status is None or status.ask_online else DAY)
                if status and not over.is_set():
                    show(status)

        threading.Thread(target=look, daemon=True).start()
        return over.set

    def check_offline(self):
        """Goes by the lease that is kept, without the network."""
        clock = self._clock()
        # A clock that was set back does not make a lease last longer.
        state = self._update(lambda old: {**old, "latest_seen": max(clock, old.get("latest_seen", clock))})
        latest_seen = state["latest_seen"]
        verdict, lease = self._verify(state.get("lease"), now=latest_seen)
        has_key = "license_key" in state or "pending_key" in state
        set_back = clock + CLOCK_TOLERANCE < latest_seen
        ask = {"ask_online": has_key or set_back}
        if verdict == "expired":
            return self._status(False, "lease_expired", "lease", until=lease.exp, updates_until=lease.updates_until, **ask)
        if verdict == "test":
            return self._status(False, "test_key_refused", "lease", **ask)
        if verdict != "valid":
            no = "unreachable" if "pending_key" in state else state.get("refused", "unreachable")
            return self._status(False, no if has_key else "no_license", **ask)
        code = "clock_set_back" if set_back else "licensed_until" if lease.kind == "offline" else "lease_valid"
        return self._status(True, code, "lease", until=lease.exp, features=lease.features, updates_until=lease.updates_until, **ask)

    def deactivate(self):
        """Frees the seat of this device and forgets the key; keeps everything where there is no answer."""
        key = self._load().get("license_key")
        if key is None:
            self._save(pending_key=None)
            return self._status(False, "no_license")
        reply = self._ask("deactivate", key)
        if reply.kind == "answer":
            self._save(license_key=None, pending_key=None, lease=None, refused=None)
            return self._status(False, reply.code, "service")
        return self._with_code(self.check_offline(), reply.code)

    def make_request_code(self):
        """What the user of a device without network shows on another one, at /activate. The same until a lease is imported.

        Raises an OSError where it cannot be stored.
        """
        request = {"p": self._product_id, "d": self._fingerprint()}
        if request["d"] is None:
            raise OSError(messages["not_stored"])
        if self._device_label is not None:
            request["l"] = self._device_label
        request["n"] = self._update(lambda state: {"nonce": secrets.token_urlsafe(16), **state})["nonce"]
        return "LAR1." + to_base64url(json.dumps(request).encode())

    def import_lease(self, text):
        """Takes the text of a license.lease file, made for the request code of this device."""
        state = self._load()
        verdict, lease = self._verify(text.strip(), nonce=state.get("nonce"), now=self._clock())
        # A device without network cannot ask whose clock is wrong.
        if verdict in ("valid", "clock"):
            # An answer to this very request code heals a clock that once ran ahead; an old file must not.
            floor = 0 if "nonce" in state else state.get("latest_seen", 0)
            self._save(lease=text.strip(), nonce=None, refused=None, latest_seen=max(lease.iat, floor))
            return self.check_offline()
        codes = {"expired": "lease_expired", "test": "test_key_refused"}
        return self._with_code(self.check_offline(), codes.get(verdict, "lease_refused"))

    def _granted(self, key, reply):
        if reply.body.get("test") is True and not self._allow_test_keys:
            if reply.body.get("device_activated") is True:
                self._ask("deactivate", key)  # A build that takes test keys has left its seat.
            return self._refused(key, replace(reply, body={**reply.body, "code": "test_key_refused"}))
        if self._require_lease and not reply.lease:
            return self._unanswered(key)

        def change(state):
            _, kept = self._verify(state.get("lease"))
            changes = {"license_key": key, "refused": None}
            if kept and kept.license_id != reply.body.get("license_id"):
                changes["lease"] = kept = None
            if reply.lease:
                # The signed time, not the later of both: it heals a clock that once ran ahead.
                changes["latest_seen"] = reply.lease.iat
                if not kept or kept.exp <= reply.lease.exp:
                    changes["lease"] = reply.body["lease"]
            return {**state, **changes}

        state = self._update(change)
        if self._load().get("license_key") != key:
            # The next start would take another seat.
            self._ask("deactivate", key)
            return self._with_code(self.check_offline(), "not_stored")
        _, kept = self._verify(state.get("lease"))
        features = reply.body.get("features")
        if not is_texts(features):
            features = kept.features if kept else []
        return self._status(True, reply.code, "service", until=kept.exp if kept else None, features=features, **terms_of(reply.body))

    def _unanswered(self, key):
        if self._load().get("license_key") != key:
            self._save(pending_key=key)
        return self.check_offline()

    def _refused(self, key, reply):
        no = {"lease": None, "refused": reply.code}
        self._update(lambda state: {**state, **no} if state.get("license_key") == key else state)
        return self._denied(key, reply)

    def _denied(self, key, reply):
        """A no for this key. The license that the device has under another one goes on."""
        kept = self._load().get("license_key")
        if kept != key:
            status = self.check_offline()
            if not status.allowed and kept is not None:
                status = self.check()  # Where its terms give no lease, only the service knows.
            if status.allowed:
                return self._with_code(status, reply.code)
        return self._status(False, reply.code, "service", **terms_of(reply.body))

    def _status(self, allowed, code, source="none", **more):
        return self._with_code(Status(allowed, code, "", source, **more), code, "valid" if allowed else "request_refused")

    def _with_code(self, status, code, other="request_refused"):
        """Of a code that is not known yet, another one's sentence is said."""
        date = datetime.fromtimestamp(status.until or 0, timezone.utc).date().isoformat()
        message = (messages.get(code) or messages[other]).format(date=date, manage=f"{self._issuer}/manage")
        return replace(status, code=code, message=message)

    def _verify(self, text, nonce=None, now=None):
        fingerprint = self._load().get("fingerprint", "")
        return verify_lease(text if isinstance(text, str) else "", keys=self._keys, issuer=self._issuer,
                            product_id=self._product_id, fingerprint=fingerprint, nonce=nonce, now=now,
                            allow_test_keys=self._allow_test_keys)

    # --- What is kept on this device

    def _load(self):
        """The state, without what is broken in it: never a reason to stop."""
        try:
            state = parse_object(self._storage.load() or "")
        except (OSError, ValueError):
            return {}
        types = {"fingerprint": str, "license_key": str, "pending_key": str, "lease": str, "refused": str, "nonce": str,
                 "latest_seen": int}
        return {name: value for name, value in state.items() if type(value) is types.get(name)}

    def _save(self, **changes):
        """Changes what is given, and forgets what is given as None."""
        self._update(lambda state: {**state, **changes})

    def _update(self, change):
        """One change after the other, also where several processes run. Returns what the state is then."""
        state, _ = self._store(change)
        return state

    def _store(self, change):
        """The state then, and whether it could be saved: a full disk must not stop an app that is paid for."""
        with self._lock, self._exclusively():
            state = {name: value for name, value in change(self._load()).items() if value is not None}
            try:
                self._storage.save(json.dumps(state))
                return state, True
            except OSError:
                return state, False

    def _exclusively(self):
        return self._storage.exclusively() if hasattr(self._storage, "exclusively") else contextlib.nullcontext()

    def _can_keep(self, key):
        """Whether the device would know its seat again. The key is stored before it is asked for, in case the app is killed meanwhile."""
        if self._fingerprint() is None:
            return False
        if self._load().get("license_key") == key:
            return True
        _, is_stored = self._store(lambda state: {**state, "pending_key": key})
        return is_stored

    def _fingerprint(self):
        """Made once at random, never from hardware. None where it cannot be kept: it would take another seat at each start."""
        stored = self._load().get("fingerprint")
        # One that an older client kept in its state is offered, so that the device stays the same.
        claimed = self._claim_fingerprint(stored or secrets.token_urlsafe(16))
        if stored is not None and stored == (claimed or stored):
            return stored
        self._update(lambda state: {**state, "fingerprint": claimed or state.get("fingerprint") or secrets.token_urlsafe(16)})
        return claimed or self._load().get("fingerprint")

    def _claim_fingerprint(self, offered):
        try:
            return self._storage.claim_fingerprint(offered) if hasattr(self._storage, "claim_fingerprint") else None
        except OSError:
            return None

    # --- What is asked of the service

    def _ask_for_seat(self, key):
        """Asks first what the key is: one for tests, which the app does not take, gets no seat."""
        if not self._allow_test_keys:
            reply = self._ask_for_lease("validate", key)
            if reply.body.get("valid") is not True or reply.body.get("test") is True:
                return reply
        return self._ask_for_lease("activate", key)

    def _ask_for_lease(self, call, key):
        nonce = secrets.token_urlsafe(16)
        reply = self._ask(call, key, nonce)
        # Without the nonce anyone could play back a lease that was given before a refund.
        _, lease = self._verify(reply.body.get("lease"), nonce)
        return replace(reply, lease=lease)

    def _ask(self, call, key, nonce=None):
        fingerprint = self._fingerprint()
        if fingerprint is None:
            return Reply()
        request = {
            "product_id": self._product_id,
            "license_key": key,
            "device_fingerprint": fingerprint,
            "nonce": nonce,
            "device_label": self._device_label,
            "app_version": self._app_version,
        }
        url = f"{self._issuer}/v1/licenses/{call}"
        body = json.dumps({name: value for name, value in request.items() if value is not None}).encode()
        opener = urllib.request.build_opener(NoRedirects, urllib.request.HTTPSHandler(context=ssl.create_default_context()))
        for attempt in range(ATTEMPTS):
            status, headers, text = post(opener, url, body)
            reply = read_reply(status, text)
            wait = retry_after(headers)
            if reply.kind or (wait or 0) > LONGEST_RETRY_AFTER or attempt == ATTEMPTS - 1:
                return reply
            time.sleep(random.uniform(0.5, 1) * 2**attempt if wait is None else wait)


@dataclass(frozen=True)
class Reply:
    kind: str = ""  # "answer", "refusal", or nothing where none came from the service
    body: dict = field(default_factory=dict)
    lease: "Lease | None" = None  # the one in it, where that verified

    @property
    def code(self):
        return self.body.get("code", "unreachable")


def read_reply(status, text):
    """Only what has the form of the service's own replies counts: captive portals answer anything."""
    try:
        body = parse_object(text)
    except ValueError:
        return Reply()
    has_code = isinstance(body.get("code"), str)
    if status == 200 and has_code and isinstance(body.get("valid"), bool):
        return Reply("answer", body)
    return Reply("refusal", body) if status in (400, 403, 409) and has_code else Reply()


def terms_of(body):
    """What the service says of the license besides whether it may be used."""
    seats, limit, expires_at = (body.get(name) for name in ("activation_count", "activation_limit", "expires_at"))
    return {
        "seats": seats if type(seats) is int else None,
        "limit": limit if type(limit) is int else None,
        "expires_at": expires_at if isinstance(expires_at, str) else None,
        "updates_until": seconds_of(body.get("updates_until")),
    }


def seconds_of(moment):
    """Of a time in ISO 8601; None of anything else."""
    try:
        return math.floor(datetime.fromisoformat(moment.replace("Z", "+00:00")).timestamp())
    except (AttributeError, ValueError):
        return None


def around(seconds):
    """So that those who were started together do not ask together."""
    return seconds * random.uniform(0.75, 1.25)


def retry_after(headers):
    seconds = headers.get("Retry-After", "")
    return float(seconds) if seconds.isascii() and seconds.isdigit() else None


class NoRedirects(urllib.request.HTTPRedirectHandler):
    """The license key is for the service alone."""

    def redirect_request(self, *_):
        return None


def post(opener, url, body):
    """(status, headers, text), or (0, {}, b"") where there is no whole reply in time."""
    outcome = []

    def send():
        request = urllib.request.Request(url, body, {"Content-Type": "application/json"})
        try:
            try:
                response = opener.open(request, timeout=ATTEMPT_SECONDS)
            except urllib.error.HTTPError as error:
                response = error
            with response:
                text = response.read(LARGEST_REPLY + 1)
                if len(text) <= LARGEST_REPLY:
                    outcome.append((response.code, response.headers, text))
        except (OSError, ValueError, http.client.HTTPException):
            pass

    # A time limit of urllib is one of each read: a host that sends byte by byte would hold the app for hours.
    thread = threading.Thread(target=send, daemon=True)
    thread.start()
    thread.join(ATTEMPT_SECONDS)
    return outcome[0] if outcome else (0, {}, b"")


# --- Leases


@dataclass(frozen=True)
class Lease:
    license_id: str
    iat: int  # when it was signed and when it ends, in seconds since 1970
    exp: int
    features: list
    kind: object  # "offline": it came as a file
    updates_until: "int | None"  # in seconds since 1970; None: without end


def verify_lease(text, *, keys, issuer, product_id, fingerprint, nonce=None, now=None, allow_test_keys=False):
    """(verdict, lease): "valid", or the first fault in a fixed order. The lease is there once it is known to be for this device."""
    try:
        header, payload, signature = read_parts(text)
    except ValueError:
        return "malformed", None
    if header.get("alg") != "ES256":
        return "alg", None
    if header.get("typ") != "license-lease+jwt":
        return "typ", None
    # Each of these would let the lease name its own key or rules.
    if any(name in header for name in ("jwk", "jku", "x5u", "x5c", "crit")):
        return "header", None
    key = next((key for key in keys if key.get("kid") == header.get("kid")), None)
    if key is None:
        return "kid", None
    if not is_signed(text.rpartition(".")[0], signature, key):
        return "signature", None
    iss, aud, sub, dev = (payload.get(name) for name in ("iss", "aud", "sub", "dev"))
    iat, exp, features = (payload.get(name) for name in ("iat", "exp", "features"))
    if not is_texts([iss, sub, dev]) or not isinstance(aud, (str, list)):
        return "malformed", None
    if not is_integer(iat) or not is_integer(exp) or not is_texts(features):
        return "malformed", None
    if not is_integer(payload.get("updates_until", 0)):
        return "malformed", None
    if iss != issuer:
        return "issuer", None
    if aud != product_id:
        return "product", None
    if dev != to_base64url(hashlib.sha256(f"{sub}\0{fingerprint}".encode("utf-8", "replace")).digest()):
        return "device", None
    if nonce is not None and payload.get("nonce") != nonce:
        return "nonce", None
    if payload.get("test") is True and not allow_test_keys:
        return "test", None
    end = payload.get("updates_until")
    lease = Lease(sub, int(iat), int(exp), features, payload.get("kind"), None if end is None else int(end))
    if now is not None and now >= exp:
        return "expired", lease
    if now is not None and iat > now + CLOCK_TOLERANCE:
        return "clock", lease
    return "valid", lease


def is_signed(text, signature, key):
    """ECDSA on P-256 with SHA-256; the signature is r and s, 32 bytes each."""
    if len(signature) != 64:
        return False
    try:
        numbers = from_base64url(key["x"]), from_base64url(key["y"]), signature[:32], signature[32:]
        x, y, r, s = (int.from_bytes(number, "big") for number in numbers)
        public_key = ec.EllipticCurvePublicNumbers(x, y, ec.SECP256R1()).public_key()
        public_key.verify(encode_dss_signature(r, s), text.encode(), ec.ECDSA(SHA256()))
        return True
    except (InvalidSignature, ValueError):
        return False  # A ValueError: what is pinned is no key.


def read_parts(text):
    parts = text.split(".")
    if len(text) > LONGEST_LEASE or len(parts) != 3:
        raise ValueError
    header, payload, signature = map(from_base64url, parts)
    return parse_object(header), parse_object(payload), signature


def from_base64url(text):
    """Strict: what is not written as to_base64url() writes it is refused, where the library would skip it."""
    decoded = base64.urlsafe_b64decode(text.encode("ascii") + b"=" * (-len(text) % 4))
    if to_base64url(decoded) != text:
        raise ValueError
    return decoded


def to_base64url(data):
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def parse_object(data):
    """A JSON object in UTF-8 in which no name occurs twice; else a ValueError."""

    def unique(pairs):
        names = dict(pairs)
        if len(names) != len(pairs):
            raise ValueError
        return names

    def no_number(name):
        raise ValueError(name)

    text = data.decode("utf-8") if isinstance(data, bytes) else data
    try:
        value = json.loads(text, object_pairs_hook=unique, parse_constant=no_number)
    except RecursionError as error:
        raise ValueError from error
    if not isinstance(value, dict):
        raise ValueError
    return value


def is_integer(value):
    return type(value) in (int, float) and abs(value) < 2**53 and value == int(value)


def is_texts(value):
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


# --- The file


class FileStorage:
    def __init__(self, path):
        self._path = Path(path)
        self._fingerprint_path = Path(f"{path}.fingerprint")
        self._lock_path = Path(f"{path}.lock")

    def load(self):
        return self._path.read_text("utf-8")

    def save(self, text):
        """Whole or not at all, and for this user alone (mkstemp: 0600)."""
        make_folder_of(self._path)
        handle, temporary = tempfile.mkstemp(dir=self._path.parent)
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, self._path)
        except BaseException:
            os.unlink(temporary)
            raise

    def claim_fingerprint(self, offered):
        """Keeps the fingerprint unless there is one, and returns what is kept: the same to all processes."""
        kept = self._read_fingerprint()
        if kept:
            return kept
        with self.exclusively():
            if not self._read_fingerprint():
                with contextlib.suppress(FileNotFoundError):
                    self._fingerprint_path.unlink()  # What is empty is left of a device that lost its power.
            with contextlib.suppress(FileExistsError):
                write_new_file(self._fingerprint_path, offered)
            return self._read_fingerprint()

    def _read_fingerprint(self):
        """None where it is not there, or was not written out."""
        try:
            text = self._fingerprint_path.read_text("utf-8", "replace")
        except FileNotFoundError:
            return None
        return None if "\0" in text else text or None

    @contextlib.contextmanager
    def exclusively(self):
        """Lets one process after the other change the state.

        Nobody needs it for a second: a lock that lasts is left of an app that was killed. Where no file can be written there is none.
        """
        with contextlib.suppress(OSError):
            make_folder_of(self._path)
            for _ in range(50):
                try:
                    os.close(os.open(self._lock_path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
                    break
                except FileExistsError:
                    time.sleep(0.02)
        try:
            yield
        finally:
            with contextlib.suppress(OSError):
                self._lock_path.unlink()


def make_folder_of(path):
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)


def write_new_file(path, text):
    """Raises FileExistsError when there is such a file; leaves none that is not whole."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
    except BaseException:
        os.unlink(path)
        raise


def default_place(app_name):
    """Not a folder that is synchronized to other devices: the fingerprint is of this one."""
    if sys.platform == "darwin":
        folder = Path.home() / "Library" / "Application Support"
    elif sys.platform == "win32":
        folder = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    else:
        folder = Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state")
    return folder / app_name / "license.json"
