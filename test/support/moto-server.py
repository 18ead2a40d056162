"""Starts moto's server. It checks signatures over decoded queries, but the protocol signs encoded
ones, including slashes. This patches that."""

import sys
from urllib.parse import quote, unquote

from botocore.auth import SigV4Auth
from moto.server import main


def canonical_query(_self, parts):
    pairs = [pair.partition("=")[::2] for pair in parts.query.split("&") if pair]
    encoded = sorted([quote(unquote(text), safe="-_.~") for text in pair] for pair in pairs)
    return "&".join(f"{name}={value}" for name, value in encoded)


SigV4Auth._canonical_query_string_url = canonical_query
main(sys.argv[1:])
