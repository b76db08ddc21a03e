"""kernellab: kernel methods from scratch, with figures that answer.

The names below are loaded when they are first used, so that `import kernellab` stays light:
`kernellab.Gaussian` imports `kernellab.kernels` then, not before.
"""

from __future__ import annotations

from kernellab.lazily import attach

__version__ = "0.1.0"

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "certificates": (
            "functional_margins", "gap_terms", "geometric_half_margin", "is_positive_semidefinite",
            "novikoff_bound", "nu", "relative_gap", "spectrum", "svm_certificate",
        ),
        "clusters": ("ClusterError", "cluster"),
        "datasets": (
            "Dataset", "Structures", "WordCounts", "data_file", "load_boiling_points",
            "load_digits", "load_iris", "load_mnist", "load_molecules", "load_packages",
            "load_rings", "load_towns", "make_and", "make_clouds", "make_contradiction",
            "make_rings", "make_xor", "molecule",
        ),
        "datasets.folds": ("rate_with_error", "stratified_folds"),
        "datasets.targets": (
            "GAMMAS", "LINEAR_LAMS", "TEST_SEED", "make_bowl", "make_outside_circle",
            "make_quarters", "quarters",
        ),
        "draw.picture": ("picture",),
        "draw.style": ("lecture", "new_figure"),
        "estimators": (
            "HardMarginSVC", "KernelPerceptron", "KernelRidge", "KernelSVC", "KernelSVR",
            "LinearSVC", "MKLClassifier", "Nystroem", "OneClassSVM", "OneVsOneClassifier",
            "OneVsRestClassifier", "PegasosSVC", "Perceptron",
        ),
        "estimators.cross_validation": ("cross_validated_scores",),
        "kernels": (
            "AllSubsequences", "Gaussian", "Graph", "Kernel", "Laplacian", "Linear", "Normalized",
            "OnColumns", "Polynomial", "SetKernel", "Sigmoid", "Spectrum", "WeisfeilerLehman",
            "as_kernel", "score_field",
        ),
        "kernels.bandwidth": ("median_bandwidth",),
        "kernels.features": ("count_features", "exponents", "polynomial_map"),
        "kernels.graphs": ("refined_labels",),
        "kernels.structured": ("common_subsequences",),
        "page.progress": ("progress_bar",),
        "losses": (
            "MARGIN_LOSSES", "dual_step", "epsilon_insensitive", "exponential", "hinge", "logistic",
            "smoothed_hinge", "squared", "squared_hinge", "zero_one",
        ),
        "page.side_by_side": ("side_by_side",),
        "page.course": ("course_map", "navigation"),
        "page.source": ("show",),
        "solvers.blocks": (
            "RidgeSums", "descend_over_blocks", "pegasos_over_blocks", "ridge_over_blocks",
            "ridge_sums",
        ),
        "solvers.descent": ("descend", "risk", "risk_gradient"),
        "solvers.fourier": ("fourier_map",),
        "solvers.hard_margin": ("closest_points", "hard_margin", "max_margin_through_origin"),
        "solvers.landmarks": (
            "LANDMARKS", "choose_landmarks", "pivoted_cholesky", "ridge_leverage_scores",
        ),
        "solvers.linear": ("dual_coordinate_descent",),
        "solvers.mkl": (
            "closed_form", "gradient_step", "mkl", "mkl_alternating", "mkl_certificate", "mkl_loop",
            "mkl_step", "project_on_simplex",
        ),
        "solvers.nystrom": ("nystrom_features", "nystrom_map", "top_eigenvectors", "trace_error"),
        "solvers.pegasos": (
            "PegasosState", "convergence_bound", "kernel_pegasos", "kernel_pegasos_pass", "pegasos",
            "pegasos_pass", "pegasos_step",
        ),
        "solvers.perceptron": (
            "dual_perceptron", "dual_perceptron_loop", "dual_perceptron_pass", "homogeneous",
            "kernel_perceptron", "perceptron_loop", "primal_perceptron", "primal_perceptron_pass",
            "trace", "weights_from_counts",
        ),
        "solvers.ridge": ("RidgePath", "lam_from_c_form", "ridge", "ridge_path", "solve_ridge"),
        "solvers.sdca": ("coordinate_dual", "hinge_pass", "sdca", "sdca_pass"),
        "solvers.smo": ("smo", "smo_step"),
        "solvers.sparse": ("row_add", "row_dot"),
        "solving": ("NotConverged", "Result", "pass_orders", "solve"),
    },
)  # fmt: skip
