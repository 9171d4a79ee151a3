"""Holds JSON values against a JSON Schema with the validator of python3-jsonschema, which knows the draft 2020-12.

    validate.py SCHEMA VALUES

VALUES has one JSON text a line. Prints a line for each value: "ok", or why it is refused. Exit code 2: the schema itself
is none.
"""
import json
import sys

from jsonschema import Draft202012Validator, SchemaError

with open(sys.argv[1], encoding="utf-8") as file:
    schema = json.load(file)
try:
    Draft202012Validator.check_schema(schema)
except SchemaError as error:
    print(error.message)
    sys.exit(2)
validator = Draft202012Validator(schema)
with open(sys.argv[2], encoding="utf-8") as file:
    for line in file:
        error = next(validator.iter_errors(json.loads(line)), None)
        print("ok" if error is None else f"{error.json_path}: {error.message[:200]}")
