"""The server sends at once, and lets alone what somebody else has chosen."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from jupyter_server.services.kernels.connection.channels import ZMQChannelsWebsocketConnection

from kernellab.live import server

NAME = "kernel_websocket_connection_class"


class Chosen(ZMQChannelsWebsocketConnection):
    pass


@pytest.mark.parametrize(
    ("before", "after"),
    [(ZMQChannelsWebsocketConnection, server.PromptConnection), (Chosen, Chosen)],
)
def test_only_the_usual_connection_is_replaced(before, after):
    settings = {NAME: before}
    server._load_jupyter_server_extension(
        SimpleNamespace(web_app=SimpleNamespace(settings=settings))
    )
    assert settings == {NAME: after}


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
