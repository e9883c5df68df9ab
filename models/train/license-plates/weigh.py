"""
Writes evidence.json: the weights of all evidence for a candidate being a plate, in log odds.

A logistic regression over candidates.json (`gather.ts`). It has few coefficients, because there are few photos. The
log loss is printed for a five-fold cross-validation, with similar photos in one fold.
"""

import json
from pathlib import Path

import numpy as np

from labels import read_motorcycles, read_photos
from split import Groups, join_alike, join_scenes, thumbnail

HERE = Path(__file__).parent
EVIDENCE = ("logOdds", "spread", "isProposed", "above", "width")
# L2 penalty for weights of standardised evidence: keeps weights with little support small.
PENALTY = 1.0
FOLDS = 5
STEPS = 50


def fit(inputs: np.ndarray, labels: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Fits by Newton's method. Returns the bias, then a weight for each column."""
    mean, deviation = inputs.mean(axis=0), inputs.std(axis=0) + 1e-6
    columns = np.c_[np.ones(len(inputs)), (inputs - mean) / deviation]
    penalty = PENALTY * np.eye(columns.shape[1])
    penalty[0, 0] = 0
    weights = np.zeros(columns.shape[1])
    for _ in range(STEPS):
        chances = 1 / (1 + np.exp(-columns @ weights))
        slope = columns.T @ (counts * (labels - chances)) - penalty @ weights
        curvature = (columns * (counts * chances * (1 - chances))[:, None]).T @ columns + penalty
        weights += np.linalg.solve(curvature, slope)
    scaled = weights[1:] / deviation
    return np.r_[weights[0] - scaled @ mean, scaled]


def log_loss(weights: np.ndarray, inputs: np.ndarray, labels: np.ndarray, counts: np.ndarray) -> float:
    odds = weights[0] + inputs @ weights[1:]
    return float(np.average(np.logaddexp(0, np.where(labels == 1, -odds, odds)), weights=counts))


def folds_of(files: list[str]) -> np.ndarray:
    """The fold of each file: similar photos, and photos of one scene, are in the same fold."""
    names = sorted(set(files))
    by_name = {photo.file: photo for photo in [*read_photos(), *read_motorcycles()]}
    groups = Groups(len(names))
    join_alike(groups, np.stack([thumbnail(by_name[name].read()) for name in names]))
    join_scenes(groups, names)
    roots = sorted({groups.root(index) for index in range(len(names))})
    fold = {name: roots.index(groups.root(index)) % FOLDS for index, name in enumerate(names)}
    return np.array([fold[file] for file in files])


def main() -> None:
    candidates = json.loads((HERE / "candidates.json").read_text())
    inputs = np.array([[one[name] for name in EVIDENCE] for one in candidates], dtype=float)
    labels = np.array([one["isPlate"] for one in candidates])
    # Candidates of one photo and label are similar, so each counts less if there are many.
    kinds = [(one["file"], one["isPlate"]) for one in candidates]
    counts = np.array([kinds.count(kind) ** -0.5 for kind in kinds])

    folds = folds_of([one["file"] for one in candidates])
    for name, columns in (("logOdds alone", [0]), ("all evidence", list(range(len(EVIDENCE))))):
        losses = []
        for fold in range(FOLDS):
            learnt, left = folds != fold, folds == fold
            weights = fit(inputs[learnt][:, columns], labels[learnt], counts[learnt])
            losses.append(log_loss(weights, inputs[left][:, columns], labels[left], counts[left]))
        print(f"{name}: log loss of each fifth", *(f"{loss:.3f}" for loss in losses), f"mean {np.mean(losses):.3f}")

    weights = fit(inputs, labels, counts)
    evidence = dict(zip(("bias", *EVIDENCE), (round(float(weight), 3) for weight in weights)))
    (HERE / "evidence.json").write_text(json.dumps(evidence, indent=2) + "\n")
    print(evidence)


if __name__ == "__main__":
    main()
