"""An extension of Jupyter's server: what a kernel says reaches the page at once.

A live figure answers with a few small messages and a picture. TCP holds a message back until the
one before is acknowledged, and a page that has nothing to say acknowledges after 40 ms (Nagle's
algorithm, RFC 896, meets delayed acknowledgements, RFC 1122 §4.2.3.2): so the picture would wait.

And kernels do not say back what the page has told them (ipywidgets does it for other pages that
show the same widget): a message less before the picture.

tools/lab_server.json, installed with the package, switches it on; Voilà is told by a flag.
"""

from __future__ import annotations

import os
from typing import Any

from jupyter_server.services.kernels.connection.channels import ZMQChannelsWebsocketConnection


class PromptConnection(ZMQChannelsWebsocketConnection):
    """Between a page and its kernel, and it does not wait until a packet is full."""

    def connect(self) -> Any:
        """Connect as always, and send what comes from the kernel at once."""
        self.websocket_handler.set_nodelay(True)
        return super().connect()


def _load_jupyter_server_extension(server: Any) -> None:
    """Connect kernels so from now on, unless somebody has chosen otherwise."""
    settings, name = server.web_app.settings, "kernel_websocket_connection_class"
    if settings[name] is ZMQChannelsWebsocketConnection:
        settings[name] = PromptConnection
    os.environ.setdefault("JUPYTER_WIDGETS_ECHO", "0")  # the kernels of this server inherit it
