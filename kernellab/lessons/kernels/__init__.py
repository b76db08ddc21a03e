"""All that belongs to notebook 03: the kernel trick."""

from __future__ import annotations

from kernellab.lazily import attach

__getattr__, __dir__, __all__ = attach(
    __name__,
    {
        "figures.cross_term": ("CrossTerm",),
        "figures.digits_gram": ("DigitsGram",),
        "figures.gamma": ("GammaDial", "valley"),
        "figures.kernel_perceptron": ("KernelPerceptron",),
        "figures.lift": ("Lift",),
        "figures.representer": ("OrthogonalComponent",),
        "figures.structures": ("StructureGram",),
        "figures.trick_marks": ("border", "costs", "hills", "mercer", "misread"),
        "figures.witness": ("FindTheWitness",),
        "theory.formula": ("Formula",),
        "theory.trick": ("perceptron", "svm"),
        "theory.witness": ("find_witness",),
    },
    modules=["exercises"],
)
