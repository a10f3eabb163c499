"""The Python client on the command line, or called line by line. license_client.py is beside it."""

import fcntl
import itertools
import json
import os
import queue
import signal
import sys
import time

from license_client import LicenseClient, messages, verify_lease


def judge(vector, expected):
    return verify_lease(vector["lease"], nonce=vector.get("nonce"), allow_test_keys=vector.get("allow_test_keys", False), **expected)[0]


def judge_vectors(path):
    with open(path, encoding="utf-8") as file:
        given = json.load(file)
    expected = {"keys": given["keys"], "issuer": given["issuer"], "product_id": given["product_id"],
                "fingerprint": given["device_fingerprint"], "now": given["now"]}
    return [{"name": vector["name"], "verdict": judge(vector, expected)}
            for vector in given["vectors"]]


def shown(status):
    names = ["allowed", "code", "source", "message", "until", "features", "seats", "limit", "expires_at", "ask_online"]
    printed = {name: getattr(status, name) for name in names if getattr(status, name) is not None}
    end = status.updates_until
    return printed if end is None else {**printed, "updates_until": end, "covered": [status.covers(end), status.covers(end + 1)]}


def run(command, argument=""):
    if command == "vectors":
        return judge_vectors(argument)
    if command == "messages":
        return messages
    env = os.environ
    offsets = itertools.count(int(env.get("LICENSE_CLOCK_OFFSET", "0")), int(env.get("LICENSE_CLOCK_STEP", "0")))
    client = LicenseClient(
        env["LICENSE_BASE_URL"], env["LICENSE_PRODUCT_ID"], json.loads(env["LICENSE_KEYS"]),
        storage=env["LICENSE_STATE"], device_label=env.get("LICENSE_DEVICE_LABEL"),
        clock=lambda: time.time() + next(offsets), look_every=0.01,
        require_lease=env.get("LICENSE_REQUIRE_LEASE") == "1", allow_test_keys=env.get("LICENSE_ALLOW_TEST_KEYS") == "1",
    )
    if command == "request-code":
        return {"request_code": client.make_request_code()}
    if command == "import-lease":
        with open(argument, encoding="utf-8") as file:
            return shown(client.import_lease(file.read()))
    if command == "watch":
        seen = queue.Queue()
        stop = client.watch(seen.put)
        first_two = [shown(seen.get()), shown(seen.get())]
        stop()
        return first_two
    calls = {"activate": lambda: client.activate(argument), "check": client.check,
             "check-offline": client.check_offline, "deactivate": client.deactivate}
    return shown(calls[command]())


def answer(call):
    os.environ.update(call["env"])
    try:
        result = {"printed": json.dumps(run(*call["arguments"]))}
    except Exception as failure:
        result = {"failure": repr(failure)}
    line = json.dumps({"id": call["id"], **result}) + "\n"
    with open(__file__, encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        sys.stdout.write(line)
        sys.stdout.flush()


if len(sys.argv) > 1:
    print(json.dumps(run(*sys.argv[1:])))
else:
    # Each call has a process of its own, in which the client is loaded already.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    for line in sys.stdin:
        if os.fork() == 0:
            answer(json.loads(line))
            os._exit(0)
