"""The controls that a live figure declares, as attributes of its class.

``figure.C`` is the value of a control, ``figure.C = 3.0`` sets it (to what it can be set to that is
nearest), and ``figure.controls["C"]`` is its widget. Where labels, options or values depend on the
data, a function of the figure stands for them; it is asked anew before every picture.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Self

import ipywidgets

MANY = 10**9  # ticks of a Play: more than anybody waits for
MOST = 4  # controls that a figure opens with, buttons aside …
FEW = 3  # … and of more than those, so many, unless the figure says which
OWN_WIDTH = {"description_width": "initial"}  # of a label: figure.css aligns them


def resolved(thing: Any, figure: Any) -> Any:
    """Return what a declaration says of a figure: itself, or what it says as a function."""
    return thing(figure) if callable(thing) else thing


class Control:
    """A control with a value: ``make`` returns its widget, ``value`` is where it stands first."""

    def __init__(self, make: Callable[[], Any], value: Any = None) -> None:
        self.make, self.value = make, value

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, figure: Any, owner: type | None = None) -> Any:
        if figure is None:
            return self
        if self.name in figure.exact:
            return figure.exact[self.name]
        return self.plain(figure.controls[self.name].value)

    def __set__(self, figure: Any, value: Any) -> None:
        self.offer(figure)
        figure.controls[self.name].value = self.nearest(figure, value)

    def plain(self, value: Any) -> Any:
        """Return a widget's value as it was meant."""
        return value

    def nearest(self, figure: Any, value: Any) -> Any:
        """Return what the control can be set to that is nearest to a value."""
        return value

    def offer(self, figure: Any) -> None:
        """Offer what the figure allows now."""


class Slider(Control):
    """Over real numbers, from ``low`` to ``high``."""

    def __init__(
        self,
        label: str,
        low: float,
        high: float,
        step: float,
        value: float = 0.0,
        *,
        digits: int = 2,
    ) -> None:
        super().__init__(
            lambda: ipywidgets.FloatSlider(
                min=low, max=high, step=step, description=label, readout_format=f".{digits}f",
                style=OWN_WIDTH,
            ),
            value,
        )  # fmt: skip
        self.step = step

    def plain(self, value: float) -> float:
        """Return a number without what the page adds: it gives back 0.15000000000000002."""
        return round(value, 10)

    def nearest(self, figure: Any, value: float) -> float:
        """Return the step nearest to a number, between both ends."""
        widget = figure.controls[self.name]
        return float(min(max(round(value / self.step) * self.step, widget.min), widget.max))


class Steps(Control):
    """Over whole numbers, from ``low`` to ``high``; ``figure.set_max`` sets another end."""

    def __init__(self, label: str, low: int, high: int, value: int | None = None) -> None:
        super().__init__(
            lambda: ipywidgets.IntSlider(min=low, max=high, description=label, style=OWN_WIDTH),
            low if value is None else value,
        )

    def nearest(self, figure: Any, value: float) -> int:
        """Return the whole number nearest to one, between both ends."""
        widget = figure.controls[self.name]
        return int(min(max(round(value), widget.min), widget.max))


class Choice(Control):
    """From a list of names, or a dictionary of names and values; the first unless ``value`` says.

    When the options change, the choice stays if it is still among them.
    """

    def __init__(self, label: Any, options: Any, value: Any = None) -> None:
        super().__init__(self._widget, value)
        self.label, self.options = label, options

    def _widget(self) -> Any:
        return ipywidgets.Dropdown(style=OWN_WIDTH)

    def named(self, figure: Any) -> list[tuple[str, Any]]:
        """Return what can be chosen: words, and the value they stand for."""
        options = resolved(self.options, figure)
        if isinstance(options, Mapping):
            return list(options.items())
        return [(str(option), option) for option in options]

    def offer(self, figure: Any) -> None:
        """Offer what the figure allows now; what is chosen stays, if it can."""
        widget, named = figure.controls[self.name], self.named(figure)
        widget.description = resolved(self.label, figure)
        if list(widget.options) == named:
            return
        values = [value for _, value in named]
        first = resolved(self.value, figure)
        value = next((v for v in (widget.value, first) if v in values), values[0])
        with figure.quietly():
            widget.options = named
            widget.value = value


class Ladder(Choice):
    """Over a few numbers; ``words(value, figure)`` is what stands beside each of them."""

    def __init__(
        self,
        label: Any,
        values: Any,
        value: Any = None,
        words: Callable[[Any, Any], str] = lambda value, figure: f"{value:g}",
    ) -> None:
        super().__init__(label, values, value)
        self.words = words

    def _widget(self) -> Any:
        widget = ipywidgets.SelectionSlider(options=[("", 0)], style=OWN_WIDTH)
        widget.add_class("kl-ladder")
        return widget

    def named(self, figure: Any) -> list[tuple[str, Any]]:
        """Return the words and the numbers."""
        return [(self.words(value, figure), value) for value in resolved(self.options, figure)]

    def nearest(self, figure: Any, value: float) -> Any:
        """Return the number of the ladder nearest to one."""
        return min(resolved(self.options, figure), key=lambda step: abs(step - value))


class Sample(Choice):
    """A choice of data: names, and functions that return ``(X, y)`` or have them as attributes.

    The data are ``figure.X`` and ``figure.y``, and X are the grips.

    Parameters
    ----------
    label, options, value : As for :class:`Choice`.
    within : No coordinate is further from zero, so that a hand reaches every point.
    most : A sample of more points has no grips: measured data stay where they were measured.
    grip, first : What a grip is called, and the number of the first one.
    """

    def __init__(
        self,
        label: str,
        options: Mapping[str, Callable[[], Any]],
        value: str | None = None,
        *,
        within: float = float("inf"),
        most: int = 40,
        grip: str = "example",
        first: int = 0,
    ) -> None:
        super().__init__(label, list(options), value)
        self.loaders, self.within, self.most = options, within, most
        self.grip, self.first = grip, first


class Check(Control):
    """A box to be checked."""

    def __init__(self, label: str, value: bool = False) -> None:
        super().__init__(lambda: ipywidgets.Checkbox(description=label, indent=False), value)


class Player:
    """Buttons that play a control over whole numbers, a step every ``interval`` ms.

    The page counts ticks, and nothing else: where the slider stands and ends is known in Python. Of
    two that the page keeps alike, one hears first of another end, and takes the other back to it.
    """

    def __init__(self, control: str, interval: int, tooltip: str) -> None:
        self.control, self.interval, self.tooltip = control, interval, tooltip

    def widget(self, figure: Any) -> Any:
        """Make the buttons, for the control of a figure."""
        slider = figure.controls[self.control]
        play = ipywidgets.Play(value=1, max=MANY, interval=self.interval, tooltip=self.tooltip)

        def started(_: Any) -> None:
            if play.playing and slider.value == slider.max:
                slider.value = slider.min

        def ticked(change: Any) -> None:
            ticks = change["new"] - change["old"]
            if change["new"] == play.min:  # the button "stop" was pressed
                slider.value = slider.min
                play.value = 1  # so that it can be pressed again
            elif change["old"] == play.min:
                return  # our own, two lines above
            elif slider.value < slider.max:
                slider.value = min(slider.value + ticks, slider.max)
            elif play.repeat:
                slider.value = slider.min
            else:
                play.playing = False

        play.observe(started, "playing")
        play.observe(ticked, "value")
        return play


class Button:
    """A button, and the method it presses: ``@Button("step")`` over the method.

    What the method sets is drawn once, when it is done; it may be called from Python, too.
    """

    def __init__(self, label: str, tooltip: str = "") -> None:
        self.label, self.tooltip = label, tooltip or label

    def __call__(self, method: Callable[[Any], None]) -> Self:
        """Take the method."""
        self.method = method
        self.__doc__ = method.__doc__
        return self

    def __get__(self, figure: Any, owner: type | None = None) -> Any:
        return self if figure is None else partial(self.press, figure)

    def press(self, figure: Any) -> None:
        """Do what the method says, and draw."""
        with figure.quietly():
            self.method(figure)
        figure.live.redraw(sharp=True)

    def widget(self, figure: Any) -> Any:
        """Make the button of a figure."""
        button = ipywidgets.Button(description=self.label, tooltip=self.tooltip)
        button.on_click(lambda _: self.press(figure))
        return button


def declared(kind: type) -> dict[str, Control | Player | Button]:
    """Return the controls of a class and its bases, by name, in the order they are written."""
    return {
        name: one
        for base in reversed(kind.__mro__)
        for name, one in vars(base).items()
        if isinstance(one, Control | Player | Button)
    }


def panel(
    kinds: Mapping[str, Control | Player | Button],
    widgets: Sequence[Any],
    first: Sequence[str] = (),
) -> Any:
    """Return one panel of all controls: those that matter first, and the others under "more".

    Parameters
    ----------
    kinds : The controls of a figure, by name.
    widgets : Their widgets, in the same order.
    first
        Names of those that are seen at once. Buttons always are; and all, if nothing is named and
        there are few.
    """
    named = [name for name, kind in kinds.items() if isinstance(kind, Control)]
    seen = first or named[: MOST if len(named) <= MOST else FEW]
    rest = [name for name in named if name not in seen]
    of = dict(zip(kinds, widgets, strict=True))
    groups = [group({name: kind for name, kind in kinds.items() if name not in rest}, of)]
    if rest:
        groups.append(group({name: kinds[name] for name in rest}, of).add_class("kl-rest"))
    return ipywidgets.Box(groups).add_class("kl-controls")


def group(kinds: Mapping[str, Control | Player | Button], widgets: Mapping[str, Any]) -> Any:
    """Return sliders and lists on a grid, and after them what is pressed, in a row."""
    pressed = [name for name in kinds if isinstance(kinds[name], Check | Player | Button)]
    on_grid = [name for name in kinds if name not in pressed]
    parts = [widgets[name] for name in on_grid]
    if pressed:
        row = ipywidgets.Box([widgets[name] for name in pressed]).add_class("kl-pressed")
        parts.append(row)
    thirds = len(on_grid) % 3 == 0 and all(isinstance(kinds[name], Slider) for name in on_grid)
    box = ipywidgets.Box(parts).add_class("kl-group")
    return box.add_class("kl-thirds") if thirds and on_grid else box
