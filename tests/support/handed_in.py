"""What a student of lesson 01 hands in: answers in other ways than ours, typed into the release."""

from __future__ import annotations

import exercises

SOURCE = next(path for path in exercises.solutions() if path.name.startswith("01"))
FULL = {
    "weights_from_counts": 2, "dual_update": 3, "classify_from_gram": 3,
    "perceptron_with_margin": 4, "step_downhill": 3, "vc_lines": 3, "vc_rectangles": 3,
    "fifth_point": 4, "fourth_point": 6,
}  # fmt: skip

# In other ways than ours: loops, lists, single precision, comprehensions.
IN_OTHER_WAYS = {
    "weights_from_counts": """
def weights_from_counts(X, y, alpha):
    return [sum(alpha[i] * y[i] * X[i, j] for i in range(len(y))) for j in range(X.shape[1])]
""",
    "dual_update": """
def dual_update(K, y, alpha, i):
    wrong = y[i] * sum(alpha[j] * y[j] * K[i, j] for j in range(len(y))) <= 0
    return [a + (wrong and j == i) for j, a in enumerate(alpha)]
""",
    "classify_from_gram": """
def classify_from_gram(K_test, y, alpha):
    return np.sign(K_test @ (alpha * y)).astype(np.float32)
""",
    "perceptron_with_margin": """
def perceptron_with_margin(K, y, margin, max_passes):
    alpha, passes, learnt = np.zeros(len(y)), 0, True
    while learnt and passes < max_passes:
        learnt, passes = False, passes + 1
        for i in range(len(y)):
            if y[i] * (K[i] @ (alpha * y)) <= margin:
                alpha[i], learnt = alpha[i] + 1, True
    return alpha
""",
    "step_downhill": """
def step_downhill(X, y, w, eta, lam):
    slope = lam * w
    for i in range(len(y)):
        if y[i] * np.dot(X[i], w) < 1:
            slope = slope - y[i] * X[i] / len(y)
    return w - eta * slope
""",
    "vc_lines": "def vc_lines():\n    return 3, np.array([[0, 0], [5, 1], [2, 3]])",
    "vc_rectangles": "def vc_rectangles():\n    return [4, [[1, 0], [2, 1], [1, 2], [0, 1]]]",
    "fifth_point": """
def fifth_point(X):
    y = [-1] * 5
    for k in (0, 1):
        order = sorted(range(5), key=lambda i: X[i, k])
        y[order[0]] = y[order[-1]] = 1
    return y
""",
    "fourth_point": """
def fourth_point(X):
    lam = np.linalg.svd(np.column_stack([X, np.ones(4)]).T)[2][-1]
    return [1 if value > 1e-9 else -1 for value in lam]
""",
}


def filled(answers: dict[str, str]) -> exercises.Notebook:
    """Return the released notebook with answers typed into it."""
    notebook = exercises.read(exercises.EXERCISES / SOURCE.name)
    for cell in notebook.cells:
        name = cell.metadata.get("nbgrader", {}).get("grade_id")
        if name in answers:
            cell.source = answers[name].strip()
    return notebook
