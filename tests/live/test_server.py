"""The server sends at once, and lets alone what somebody else has chosen."""

from __future__ import annotations

import os
from types import SimpleNamespace

from jupyter_server.services.kernels.connection.channels import ZMQChannelsWebsocketConnection

from kernellab.live import server

NAME = "kernel_websocket_connection_class"


class Chosen(ZMQChannelsWebsocketConnection):
    pass


def switched_on(connection, environment, monkeypatch):
    """Load the extension; return what it sets, beside what was set before."""
    monkeypatch.setattr(os, "environ", environment)
    settings = {NAME: connection}
    app = SimpleNamespace(web_app=SimpleNamespace(settings=settings))
    server._load_jupyter_server_extension(app)
    return settings[NAME], environment["JUPYTER_WIDGETS_ECHO"]


def test_only_what_nobody_has_chosen_is_replaced(monkeypatch):
    usual = switched_on(ZMQChannelsWebsocketConnection, {}, monkeypatch)
    assert usual == (server.PromptConnection, "0")
    assert switched_on(Chosen, {"JUPYTER_WIDGETS_ECHO": "1"}, monkeypatch) == (Chosen, "1")


def test_nothing_waits_for_a_full_packet(monkeypatch):
    said = []
    monkeypatch.setattr(
        ZMQChannelsWebsocketConnection, "connect", lambda self: said.append("connect") or "ready"
    )
    connection = server.PromptConnection.__new__(server.PromptConnection)
    page = SimpleNamespace(set_nodelay=lambda value: said.append(value))
    monkeypatch.setattr(server.PromptConnection, "websocket_handler", page)
    assert connection.connect() == "ready"
    assert said == [True, "connect"]
