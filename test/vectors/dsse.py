"""Verifies the envelopes of dsse.mjs with securesystemslib 1.6.0 (DSSE) and in-toto-attestation 0.9.3 (statement), as they are and
with one bit of the signature or of the payload flipped, and prints them with the results."""
import base64, json, sys
from google.protobuf.json_format import ParseDict
from in_toto_attestation.v1.statement import Statement
import in_toto_attestation.v1.statement_pb2 as pb
from securesystemslib.dsse import Envelope
from securesystemslib.signer import SSlibKey

def accepted(envelope, key):
    try:
        # from_dict empties the entries that it reads.
        Envelope.from_dict(json.loads(json.dumps(envelope))).verify([key], 1)
        return True
    except Exception:
        return False

def flipped(text, at):
    raw = bytearray(base64.b64decode(text))
    raw[at % len(raw)] ^= 1 << (at % 8)
    return base64.b64encode(bytes(raw)).decode()

def is_statement(payload):
    statement = Statement.copy_from_pb(ParseDict(json.loads(base64.b64decode(payload)), pb.Statement()))
    statement.validate()
    return True

out = []
for at, vector in enumerate(json.load(sys.stdin)):
    envelope = vector["envelope"]
    keyid = envelope["signatures"][0]["keyid"]
    key = SSlibKey(keyid, "ed25519", "ed25519", {"public": keyid})
    bad_sig = {**envelope, "signatures": [{"keyid": keyid, "sig": flipped(envelope["signatures"][0]["sig"], at)}]}
    bad_payload = {**envelope, "payload": flipped(envelope["payload"], at)}
    out.append({**vector, "is_accepted": accepted(envelope, key), "is_statement": is_statement(envelope["payload"]),
                "is_accepted_flipped": accepted(bad_sig, key) or accepted(bad_payload, key)})
json.dump(out, sys.stdout, indent=1)
print()
