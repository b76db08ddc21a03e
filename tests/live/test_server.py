"""The server sends at once, and lets alone what somebody else has chosen."""

from __future__ import annotations

import os
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
def test_only_the_usual_connection_is_replaced(before, after, monkeypatch):
    monkeypatch.setattr(os, "environ", {})
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


@pytest.mark.parametrize(("before", "after"), [({}, "0"), ({"JUPYTER_WIDGETS_ECHO": "1"}, "1")])
def test_widgets_do_not_echo_unless_asked_to(before, after, monkeypatch):
    environment = dict(before)
    monkeypatch.setattr(os, "environ", environment)
    app = SimpleNamespace(web_app=SimpleNamespace(settings={NAME: Chosen}))
    server._load_jupyter_server_extension(app)
    assert environment == {"JUPYTER_WIDGETS_ECHO": after}
