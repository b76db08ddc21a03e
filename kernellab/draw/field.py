"""Numbers on a grid as colours, drawn quickly: what a live figure draws anew at every move."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np
from matplotlib.axes import Axes
from matplotlib.image import AxesImage
from matplotlib.transforms import Bbox, IdentityTransform
from PIL import Image
from PIL.Image import Resampling

Between = Literal["bilinear", "nearest"]
FILTERS = {"bilinear": Resampling.BILINEAR, "nearest": Resampling.NEAREST}


def show_field(
    axes: Axes, cmap: Any = None, *, low: float = 0.0, high: float = 1.0,
    between: Between = "bilinear", **options: Any,
) -> AxesImage:  # fmt: skip
    """Add an image of numbers to axes, as ``axes.imshow`` does; `set_data` gives it the numbers.

    Parameters
    ----------
    cmap
        Colours for the numbers from ``low`` to ``high``; none, if what `set_data` gets are colours.
    between : What is seen between two numbers: a mixture of their colours, or the nearer one's.
    options : ``extent``, ``origin`` and ``zorder``, as in Matplotlib. The axes keep their aspect.
    """
    image = Field(axes, cmap=cmap, interpolation=between, **options)
    image.set_data(np.zeros((2, 2)))
    image.set_clim(low, high)
    image.set_clip_path(axes.patch)
    axes.add_image(image)
    image.set_extent(image.get_extent())  # the limits of the axes too
    return image


class Field(AxesImage):
    """An image that is coloured first and enlarged then.

    Matplotlib enlarges the numbers, and a mask beside them, and colours every pixel of the screen:
    half the time of a frame. Here Pillow enlarges the colours.
    """

    def make_image(
        self, renderer: Any, magnification: float = 1.0, unsampled: bool = False
    ) -> tuple[Any, float, float, Any]:
        """Return the pixels, bottom row first, where they begin, and how they are turned."""
        if unsampled or magnification != 1.0:
            return super().make_image(renderer, magnification, unsampled)
        left, right, bottom, top = self.get_extent()
        corners = self.get_transform().transform([(left, bottom), (right, top)])
        seen = Bbox.intersection(Bbox(np.sort(corners, axis=0)), self.axes.bbox)
        if seen is None:
            return None, 0.0, 0.0, None
        first, last = np.floor(seen.min).astype(int), np.ceil(seen.max).astype(int)
        if not np.all(last > first):
            return None, 0.0, 0.0, None
        colours = self.to_rgba(np.ma.asarray(self.get_array()), bytes=True)
        if self.origin == "upper":
            colours = colours[::-1]
        if corners[0, 0] > corners[1, 0]:  # an axis that runs the other way
            colours = colours[:, ::-1]
        if corners[0, 1] > corners[1, 1]:
            colours = colours[::-1]
        # The part of the picture that is seen, in its own columns and rows.
        shape = np.array(colours.shape[1::-1])
        start, size = corners.min(axis=0), np.ptp(corners, axis=0)
        box = np.clip([(pixel - start) / size * shape for pixel in (first, last)], 0, shape)
        opaque = colours[..., 3].min() == 255  # which takes less time
        mode = "RGBX" if opaque else "RGBA"
        whole = Image.frombuffer(mode, tuple(shape), colours.tobytes(), "raw", mode, 0, 1)
        enlarged = whole.resize(
            tuple(last - first), FILTERS[self.get_interpolation()], box=tuple(box.ravel())
        )
        return np.array(enlarged), float(first[0]), float(first[1]), IdentityTransform()
