import json
import socket
import sys
from pathlib import Path

from license_client import LicenseClient

client = LicenseClient(
    base_url="https://api.example.com",
    product_id="prd_01KG9T3W6P9RA5Y8S4C7E1G2JK",
    keys=json.loads(Path(__file__).with_name("jwks.json").read_text())["keys"],
    app_name="Photo Studio",
    device_label=socket.gethostname(),
    # allow_test_keys=True,  # in your own builds alone
)
status = client.activate(sys.argv[1]) if len(sys.argv) > 1 else client.check()
print(status.message)
sys.exit(0 if status.allowed else 1)
