"""Creates the graph skeletons, or tables with the positions of their weights.

    node dist/src/models/manifest/whisper-parameters.js > WHISPER
    python src/models/graphs/generate OUT --whisper WHISPER
    python src/models/graphs/generate OUT --whisper WHISPER --random
    python src/models/graphs/generate OUT --layouts minilm=model.safetensors ge2e=pretrained.pt whisper-base=model.bin
    python src/models/graphs/generate OUT --whisper WHISPER --layouts

WHISPER has the parameters of the Whisper models, which are in the manifest. The first command needs no weights. The
second creates Whisper's graphs only, each model in a folder with random weights. The third reads tables from files of
weights. The last computes the tables of the Whisper models.

The packages of `requirements.txt` are needed. Only those versions give equal bytes.
"""

import argparse
import json
from pathlib import Path

import ge2e
import layout
import minilm
import weights
import whisper
from model import Model, parse

LAYOUTS = Path(__file__).parent / "layouts"
READERS = {"minilm": layout.read_safetensors, "ge2e": layout.read_torch}


def make_graphs(out: Path, models: dict[str, Model]) -> None:
    for model in models.values():
        whisper.build(model, out)
    minilm.build(layout.load(LAYOUTS / "minilm.tsv"), out / "minilm.skeleton.onnx")
    ge2e.build(layout.load(LAYOUTS / "ge2e.tsv"), out / "ge2e.skeleton.onnx")


def make_random(out: Path, models: dict[str, Model]) -> None:
    for name, model in models.items():
        folder = out / name
        folder.mkdir(parents=True, exist_ok=True)
        whisper.build(model, folder)
        weights.write_random(model, folder / model.weights, seed=1)


def make_layouts(out: Path, models: dict[str, Model], files: list[str]) -> None:
    for name, model in models.items():
        layout.save(out / f"{name}.tsv", weights.layout(model)[0])
    for pair in files:
        name, _, path = pair.partition("=")
        layout.save(out / f"{name}.tsv", READERS.get(name, layout.read_ctranslate2)(Path(path)))


def load_models(path: Path | None) -> dict[str, Model]:
    """Reads the Whisper models. Compares the sizes of their weights with the manifest, where it has them."""
    models: dict[str, Model] = {}
    for name, entry in json.loads(path.read_text()).items() if path else ():
        models[name] = parse(entry["recogniser"])
        size = weights.layout(models[name])[1]
        if size != entry.get("bytes", size):
            raise ValueError(f"{name}: weights of this shape have {size} bytes, not {entry['bytes']}")
    return models


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--whisper", type=Path)
    parser.add_argument("--random", action="store_true")
    parser.add_argument("--layouts", nargs="*")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    models = load_models(given.whisper)
    if given.layouts is not None:
        make_layouts(given.out, models, given.layouts)
    elif given.random:
        make_random(given.out, models)
    else:
        make_graphs(given.out, models)


if __name__ == "__main__":
    main()
