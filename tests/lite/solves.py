"""Every solver once on thirty points, and a frame of some figures: run here and in Pyodide."""

import json
import sys
import warnings
from importlib import import_module

import kernellab as kl

warnings.simplefilter("error")  # a page shows nobody else's

LESSONS = (
    "start", "perceptron", "margin", "kernels", "pegasos", "sdca", "ridge", "approximation",
    "scale", "mistakes",
)  # fmt: skip


def solved() -> dict[str, float]:
    """Return how large the scores are that each estimator gives to thirty points."""
    points = kl.make_clouds(30, 6.0)
    X, y = points.X, points.y
    models = (
        kl.Perceptron(), kl.KernelPerceptron(), kl.HardMarginSVC(), kl.LinearSVC(), kl.KernelSVC(),
        kl.KernelSVC(solver="sdca", bias=False), kl.KernelSVC(solver="pegasos", bias=False),
        kl.PegasosSVC(gap=0.1), kl.MKLClassifier(), kl.OneClassSVM(), kl.KernelRidge(),
        kl.KernelSVR(), kl.OneVsRestClassifier(kl.LinearSVC()),
    )  # fmt: skip
    found = {}
    for model in models:
        scores = getattr(model.fit(X, y), "decision_function", model.predict)(X)
        found[str(model)] = float(abs(scores).mean())
    found["Nystroem"] = float(abs(kl.Nystroem(n_components=8).fit_transform(X)).mean())
    return found


def drawn(every: bool) -> dict[str, int]:
    """Return how many bytes the first frame has, of a figure of some lessons, or of every one."""
    from kernellab.live.declared import Figure

    found = {}
    for lesson in LESSONS if every else LESSONS[::3]:
        room = import_module(f"kernellab.lessons.{lesson}")
        kinds = [getattr(room, name) for name in room.__all__]
        figures = [k for k in kinds if isinstance(k, type) and issubclass(k, Figure)]
        for kind in figures if every else figures[:1]:
            figure = kind()
            assert figure.live.error == "", (kind, figure.live.error)
            found[kind.__name__] = len(figure.live.frame)
    return found


def stopped() -> str:
    """Return what an endless loop is told in an exercise."""
    from kernellab.exercises.running import run

    def endless(n: int) -> None:
        while True:
            n = n + 0

    return str(run(endless, {"n": 1}, 0.5).trouble)


every = "every" in sys.argv
print(json.dumps({"solved": solved(), "drawn": drawn(every), "stopped": stopped()}))
