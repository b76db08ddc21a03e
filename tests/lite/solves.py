"""Every solver once on thirty points, and a frame of every figure: run here and in Pyodide."""

import json
import warnings
from importlib import import_module

import kernellab as kl
from kernellab.live.declared import Figure

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


def figures() -> list[type]:
    """Return the figures of all lessons."""
    rooms = [import_module(f"kernellab.lessons.{lesson}") for lesson in LESSONS]
    kinds = [getattr(room, name) for room in rooms for name in room.__all__]
    return [kind for kind in kinds if isinstance(kind, type) and issubclass(kind, Figure)]


def drawn() -> list[str]:
    """Return which figures draw a first frame."""
    lives = {kind.__name__: kind().live for kind in figures()}
    return [name for name, live in lives.items() if live.frame and not live.error]


def stopped() -> str:
    """Return what an endless loop is told in an exercise."""
    from kernellab.exercises.running import run

    def endless(n: int) -> None:
        while True:
            n = n + 0

    return str(run(endless, {"n": 1}, 0.5).trouble)


if __name__ == "__main__":
    warnings.simplefilter("error")  # a page shows nobody else's
    print(json.dumps({"solved": solved(), "drawn": drawn(), "stopped": stopped()}))
