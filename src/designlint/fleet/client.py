"""A SPARQL store by its address: query, update, and the graph store protocol, over HTTP."""

from __future__ import annotations

import json
import os
import urllib.error
import urllib.parse
import urllib.request
from base64 import b64encode
from functools import cached_property
from typing import TYPE_CHECKING, Any

from designlint.reading.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

#: The environment that says who asks, and where a store takes graphs and updates when its address does not tell.
USER, PASSWORD, TOKEN = "DESIGNLINT_SPARQL_USER", "DESIGNLINT_SPARQL_PASSWORD", "DESIGNLINT_SPARQL_TOKEN"
STORE, UPDATE = "DESIGNLINT_SPARQL_STORE", "DESIGNLINT_SPARQL_UPDATE"
#: Seconds that an answer may take, and characters of a fault that are shown.
PATIENCE, SHOWN = 600, 300
UNAUTHORIZED = 401
#: Where stores take updates and graphs, by the end of the address that takes queries.
NEIGHBOURS = {"/query": ("/update", "/store"), "/sparql": ("/update", "/data")}
Row = dict[str, str]


class Client:
    """
    A store.

    Args:
        url: of its query endpoint.

    Raises:
        UsageError: no address of a store; a store that cannot be reached, or refuses.
    """

    def __init__(self, url: str) -> None:
        parts = urllib.parse.urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise UsageError(f"`{url}` is not the address of a SPARQL store, such as http://localhost:8890/sparql")
        if parts.username or parts.password:
            raise UsageError(f"credentials do not belong in an address; set {USER} and {PASSWORD}")
        self.url = url
        self._challenges: dict[str, str | None] = {}
        self._root = urllib.parse.urlunsplit((parts.scheme, parts.netloc, "", "", ""))

    @cached_property
    def _opener(self) -> urllib.request.OpenerDirector:
        return urllib.request.build_opener(_NoRedirect)

    @cached_property
    def _virtuoso(self) -> bool:
        """Whether it is a Virtuoso, which has addresses of its own for graphs and updates."""
        try:
            with self._opener.open(self._request(self.url, {"query": "ASK {}"}), timeout=PATIENCE) as answer:
                return str(answer.headers.get("Server", "")).startswith("Virtuoso")
        except urllib.error.HTTPError as error:
            return str(error.headers.get("Server", "")).startswith("Virtuoso")
        except OSError as error:
            raise UsageError(f"{self.url} cannot be reached: {error}") from None

    def select(self, query: str) -> list[Row]:
        """The rows of a SELECT, each its bound variables as text. Raises UsageError."""
        return [
            {name: cell["value"] for name, cell in row.items()} for row in self.answer(query)["results"]["bindings"]
        ]

    def answer(self, query: str) -> Any:
        """The answer to a SELECT as the standard's JSON. Raises UsageError."""
        text = self._send(self._request(self.url, {"query": query}))
        try:
            return json.loads(text)
        except ValueError:
            raise UsageError(f"{self.url} does not answer in the JSON of SPARQL") from None

    def update(self, text: str) -> None:
        """Run an update. Raises UsageError."""
        url = os.environ.get(UPDATE) or self._neighbour(0)
        self._send(self._request(url, {"query" if self._virtuoso else "update": text}))

    def put_graph(self, graph: str, triples: bytes) -> None:
        """Let a graph hold these triples (N-Triples) and no others. Raises UsageError."""
        url = os.environ.get(STORE) or self._neighbour(1)
        name = "graph-uri" if self._virtuoso else "graph"
        request = urllib.request.Request(
            f"{url}?{urllib.parse.urlencode({name: graph})}",
            data=triples,
            method="PUT",
            headers={"Content-Type": "text/turtle" if self._virtuoso else "application/n-triples"},
        )
        self._send(request)

    def _neighbour(self, which: int) -> str:
        if self._virtuoso:
            known = bool(os.environ.get(USER))
            paths = ("/sparql-auth", "/sparql-graph-crud-auth") if known else ("/sparql", "/sparql-graph-crud")
            return self._root + paths[which]
        for ending, others in NEIGHBOURS.items():
            if self.url.endswith(ending):
                return self.url.removesuffix(ending) + others[which]
        wanted = (UPDATE, STORE)[which]
        raise UsageError(
            f"{self.url} does not say where the store accepts {'updates' if which == 0 else 'graphs'}; set {wanted}"
        )

    def _request(self, url: str, fields: Mapping[str, str]) -> urllib.request.Request:
        return urllib.request.Request(
            url,
            data=urllib.parse.urlencode(fields).encode(),
            headers={"Accept": "application/sparql-results+json"},
        )

    def _authorize(self, request: urllib.request.Request) -> None:
        """Add what the environment has of credentials, as the store asks for them at that address."""
        token, user = os.environ.get(TOKEN), os.environ.get(USER, "")
        if token:
            request.add_header("Authorization", f"Bearer {token}")
        elif user:
            wanted = self._challenge(request.full_url.partition("?")[0])
            if wanted is not None:
                request.add_header("Authorization", _answer_challenge(wanted, user, request))

    def _challenge(self, url: str) -> str | None:
        """How an address asks who comes; None where it does not. A large body would be refused before that is known."""
        if url not in self._challenges:
            found: str | None = None
            try:
                self._opener.open(urllib.request.Request(url, method="GET"), timeout=PATIENCE).close()
            except urllib.error.HTTPError as error:
                found = error.headers.get("WWW-Authenticate") if error.code == UNAUTHORIZED else None
            except OSError as error:
                raise UsageError(f"{url} cannot be reached: {error}") from None
            self._challenges[url] = found
        return self._challenges[url]

    def _send(self, request: urllib.request.Request) -> str:
        self._authorize(request)
        try:
            with self._opener.open(request, timeout=PATIENCE) as answer:
                return str(answer.read().decode("utf-8", "replace"))
        except urllib.error.HTTPError as error:
            said = " ".join(error.read(SHOWN).decode("utf-8", "replace").split())
            raise UsageError(f"{self.url} answers {error.code} {error.reason}: {said}") from None
        except OSError as error:
            raise UsageError(f"{self.url} cannot be reached: {error}") from None


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """Follows nobody elsewhere: what is sent is for the store that the user named."""

    def redirect_request(self, *_: Any) -> None:
        return None


def _answer_challenge(challenge: str, user: str, request: urllib.request.Request) -> str:
    """The answer to a challenge, by digest where the store knows that."""
    known = urllib.request.HTTPPasswordMgrWithDefaultRealm()
    known.add_password(None, request.full_url, user, os.environ.get(PASSWORD, ""))
    scheme, _, rest = challenge.partition(" ")
    if scheme.lower() == "digest":
        fields = urllib.request.parse_keqv_list(list(filter(None, urllib.request.parse_http_list(rest))))
        answer = urllib.request.HTTPDigestAuthHandler(known).get_authorization(request, fields)
        if answer is None:
            raise UsageError("the store requires a digest that is not supported here")
        return f"Digest {answer}"
    return "Basic " + b64encode(f"{user}:{os.environ.get(PASSWORD, '')}".encode()).decode()
