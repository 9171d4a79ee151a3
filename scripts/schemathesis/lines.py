"""Lines of JSON, one value each, for schemathesis, which does not know them. Named to it by scripts/schemathesis.sh."""
import json

import schemathesis


@schemathesis.serializer("application/x-ndjson")
def lines(context, value):
    if isinstance(value, (bytes, str)):
        return value
    return json.dumps(value) + "\n"
