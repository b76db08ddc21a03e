"""Small accidents in a right answer: one operator, number, function or term changed or dropped."""

from __future__ import annotations

import ast
import copy
import textwrap
from collections.abc import Callable, Iterator

OTHER_OPERATORS = {
    ast.LtE: (ast.Lt, ast.Gt, ast.GtE), ast.Lt: (ast.LtE, ast.Gt), ast.Gt: (ast.GtE, ast.Lt),
    ast.GtE: (ast.Gt, ast.LtE), ast.Eq: (ast.NotEq,), ast.NotEq: (ast.Eq,),
    ast.Add: (ast.Sub, ast.Mult), ast.Sub: (ast.Add,), ast.Mult: (ast.Add, ast.Sub, ast.Div),
    ast.Div: (ast.Mult,), ast.Pow: (ast.Mult,), ast.MatMult: (ast.Mult, ast.Add),
    ast.BitAnd: (ast.BitOr,), ast.BitOr: (ast.BitAnd,),
}  # fmt: skip
OTHER_FUNCTIONS = {
    "argmin": "argmax", "argmax": "argmin", "min": "max", "max": "min", "maximum": "minimum",
    "minimum": "maximum", "sum": "mean", "mean": "sum", "ones": "zeros", "zeros": "ones",
    "sqrt": "square", "exp": "log", "hstack": "vstack", "all": "any", "any": "all",
}  # fmt: skip
# To leave the function out: f(x) becomes x.
TRANSPARENT = {"abs", "sqrt", "exp", "maximum", "minimum", "float", "diag"}


def mutants(source: str) -> Iterator[tuple[str, str]]:
    """Yield (what was done, source) of every version with one thing changed."""
    tree = ast.parse(textwrap.dedent(source))
    for node in ast.walk(tree):  # a docstring is no statement to leave out
        if isinstance(node, ast.FunctionDef) and ast.get_docstring(node):
            node.body = node.body[1:]
    seen = {ast.unparse(tree)}
    for k, node in enumerate(ast.walk(tree)):
        for change in changes(node):
            mutant = copy.deepcopy(tree)
            change(list(ast.walk(mutant))[k])
            text = ast.unparse(ast.fix_missing_locations(mutant))
            if text not in seen:
                seen.add(text)
                yield difference(ast.unparse(tree), text), text


Change = Callable[[ast.AST], None]


def changes(node: ast.AST) -> Iterator[Change]:
    """Yield functions that each change a copy of the node in one way."""
    if isinstance(node, ast.Compare):
        for operator in OTHER_OPERATORS.get(type(node.ops[0]), ()):
            yield setting("ops", [operator()])
    if isinstance(node, ast.BinOp | ast.AugAssign):
        for operator in OTHER_OPERATORS.get(type(node.op), ()):
            yield setting("op", operator())
    if isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield setting("value", not node.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        yield setting("value", node.value + 1)
        yield setting("value", node.value - 1)
    if isinstance(node, ast.Attribute) and node.attr in OTHER_FUNCTIONS:
        yield setting("attr", OTHER_FUNCTIONS[node.attr])
    if isinstance(node, ast.FunctionDef | ast.For | ast.If | ast.While):
        for k, statement in enumerate(node.body):
            if not isinstance(statement, ast.Return | ast.Pass | ast.Raise):
                yield leaving_out(k)
    for field, value in ast.iter_fields(node):
        for k, one in enumerate(value if isinstance(value, list) else [value]):
            for simpler in terms(one):
                yield replacing(field, k if isinstance(value, list) else None, simpler)


def terms(node: object) -> Iterator[ast.expr]:
    """Yield what is left of an expression if a term, a factor, a sign or a function is dropped."""
    if isinstance(node, ast.BinOp):
        yield node.left
        yield node.right
    if isinstance(node, ast.UnaryOp):
        yield node.operand
    if isinstance(node, ast.Call) and node.args:
        name = getattr(node.func, "attr", getattr(node.func, "id", ""))
        if name in TRANSPARENT:
            yield from node.args


def setting(field: str, value: object) -> Change:
    """Return a change of one field."""
    return lambda node: setattr(node, field, value)


def leaving_out(k: int) -> Change:
    """Return a change that empties statement k of a body."""

    def change(node: ast.AST) -> None:
        node.body[k] = ast.Pass()

    return change


def replacing(field: str, k: int | None, value: ast.expr) -> Change:
    """Return a change of one field, or of one entry of it."""

    def change(node: ast.AST) -> None:
        new = copy.deepcopy(value)
        if k is None:
            setattr(node, field, new)
        else:
            getattr(node, field)[k] = new

    return change


def difference(before: str, after: str) -> str:
    """Return the lines that are new, or "without …" the first that is gone."""
    old, new = before.splitlines(), after.splitlines()
    added = [line.strip() for line in new if line not in old and line.strip() != "pass"]
    gone = [line.strip() for line in old if line not in new]
    return " / ".join(added) if added else f"without {gone[0] if gone else 'a repeated line'}"
