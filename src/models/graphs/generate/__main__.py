"""Creates the graph skeletons, or the tables with the positions of their weights.

    python src/models/graphs/generate OUT
    python src/models/graphs/generate --layouts OUT whisper=model.bin minilm=model.safetensors ge2e=pretrained.pt

The first command needs no weights. Both need the packages of `requirements.txt`. Only those versions give equal bytes.
"""

import argparse
from pathlib import Path

import ge2e
import layout
import minilm
import whisper

LAYOUTS = Path(__file__).parent / "layouts"
READERS = {"whisper": layout.read_ctranslate2, "minilm": layout.read_safetensors, "ge2e": layout.read_torch}


def make_graphs(out: Path) -> None:
    tables = {name: layout.load(LAYOUTS / f"{name}.tsv") for name in READERS}
    whisper.build_encoder(tables["whisper"], out / "whisper-tiny.en-encoder.skeleton.onnx")
    whisper.build_decoder(tables["whisper"], out / "whisper-tiny.en-decoder.skeleton.onnx", texts=1)
    whisper.build_decoder(tables["whisper"], out / "whisper-tiny.en-decoder4.skeleton.onnx", texts=4)
    minilm.build(tables["minilm"], out / "minilm.skeleton.onnx")
    ge2e.build(tables["ge2e"], out / "ge2e.skeleton.onnx")


def make_layouts(out: Path, weights: list[str]) -> None:
    for pair in weights:
        name, _, path = pair.partition("=")
        layout.save(out / f"{name}.tsv", READERS[name](Path(path)))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--layouts", action="store_true")
    parser.add_argument("weights", nargs="*")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    if given.layouts:
        make_layouts(given.out, given.weights)
    else:
        make_graphs(given.out)


if __name__ == "__main__":
    main()
