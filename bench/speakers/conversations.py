"""Makes conversations from real voices, and measures the errors of their speaker labels.

`read VOICES FOLDER all|half`: writes all voices, or every other one, as PCM (16 bits, mono, 16
kHz) and prints their names.
`make FOLDER SECONDS COUNT`: writes conversations of 1 to 4 voices with their speaker turns, and
prints their files; `speech.json` has the detected speech of each voice, in samples.
`others RECORDINGS FOLDER`: writes every other recording as PCM and prints their files.
`score FOLDER`: compares `labels.json` with the speaker turns.
"""

import json
import math
import random
import sys
from pathlib import Path

import numpy as np
import soundfile
from pyannote.core import Annotation, Segment
from pyannote.metrics.diarization import DiarizationErrorRate
from scipy.cluster.hierarchy import fcluster, linkage

RATE = 16_000
# Maximum difference in dB to the loudest parts at which audio counts as speech. Softer audio in a turn counts
# as a pause.
DEPTH_DB = 30
NOISE_DB = 15
# Seconds before and after each change of speaker that are not scored.
COLLAR = 0.25


def voices_in(folder: Path) -> dict[str, np.ndarray]:
    """Reads the voices of a folder with one subfolder for each voice."""
    voices = {}
    for voice in sorted(path for path in folder.iterdir() if path.is_dir()):
        parts = []
        for file in sorted([*voice.rglob("*.flac"), *voice.rglob("*.wav")]):
            samples, rate = soundfile.read(file, dtype="float32")
            if rate == RATE and samples.ndim == 1:
                parts.append(samples)
        if parts:
            voices[voice.name] = np.concatenate(parts)
    return voices


def spoken(samples: np.ndarray, detected: np.ndarray) -> list[tuple[float, float]]:
    """Returns the loud sections of a clean recording in which the detector finds speech, in seconds. Two
    sections with less than 0.1 s between them become one section."""
    size = RATE // 100
    frames = samples[: len(samples) // size * size].reshape(-1, size)
    level = 10 * np.log10(np.mean(frames**2, axis=1) + 1e-12)
    loud = level > np.percentile(level, 95) - DEPTH_DB
    loud &= detected[: len(frames) * size].reshape(-1, size).mean(axis=1) > 0.5
    stretches: list[list[float]] = []
    for index in np.flatnonzero(loud):
        if stretches and index / 100 - stretches[-1][1] < 0.1:
            stretches[-1][1] = (index + 1) / 100
        else:
            stretches.append([index / 100, (index + 1) / 100])
    return [(start, end) for start, end in stretches if end - start > 0.05]


def pink(length: int, generator: np.random.Generator) -> np.ndarray:
    """Returns pink noise, whose power falls with frequency."""
    spectrum = np.fft.rfft(generator.standard_normal(length))
    spectrum /= np.sqrt(np.maximum(1, np.arange(len(spectrum))))
    noise = np.fft.irfft(spectrum, length)
    return noise / np.sqrt(np.mean(noise**2))


def make(voices: dict[str, np.ndarray], speech: dict[str, np.ndarray], chosen: list[str], seconds: float, overlaps: bool, seed: int):
    """Makes a conversation. Returns its samples and its speaker turns."""
    draw = random.Random(seed)
    places = {name: draw.randrange(len(voices[name])) for name in chosen}
    samples = np.zeros(int((seconds + 12) * RATE), dtype=np.float32)
    truth = []
    at, last = 0.5, None
    while at < seconds:
        name = draw.choice([name for name in chosen if name != last or len(chosen) == 1])
        length = math.exp(draw.uniform(0, math.log(8)))
        place = range(places[name], places[name] + int(length * RATE))
        turn = np.take(voices[name], place, mode="wrap")
        detected = np.take(speech[name], place, mode="wrap")
        places[name] = (places[name] + len(turn)) % len(voices[name])
        turn = turn / (np.sqrt(np.mean(turn**2)) + 1e-6) * 0.05 * 10 ** (draw.uniform(-3, 3) / 20)
        first = int(at * RATE)
        samples[first : first + len(turn)] += turn[: len(samples) - first]
        truth += [(at + start, at + end, name) for start, end in spoken(turn, detected)]
        overlapping = overlaps and len(chosen) > 1 and draw.random() < 0.5
        at += length + (-0.3 if overlapping else draw.uniform(0.1, 0.8))
        last = name
    return samples, truth


def read(voices_folder: str, folder: str, which: str) -> None:
    """Writes voices as PCM. `half` skips every other fetched voice, because the skipped voices were used to
    choose values of the diarization rules."""
    voices = voices_in(Path(voices_folder))
    names = list(voices)[1::2] if which == "half" else list(voices)
    for name in names:
        (voices[name] * 32_767).astype("<i2").tofile(Path(folder) / f"{name}.voice")
    print(json.dumps(names))


def others(recordings: str, folder: str) -> None:
    """Writes every other recording of a folder as PCM. Each recording has a different speaker."""
    made = []
    for file in sorted(Path(recordings).rglob("*.flac"))[1::2]:
        samples, rate = soundfile.read(file, dtype="float32")
        if rate == RATE and samples.ndim == 1:
            (samples * 32_767).astype("<i2").tofile(Path(folder) / f"{file.stem}.other")
            made.append(f"{file.stem}.other")
    print(json.dumps(made))


def write(folder: str, seconds: float, count: int) -> None:
    voices, speech = {}, {}
    for name, stretches in json.loads(Path(folder, "speech.json").read_text()).items():
        voices[name] = np.fromfile(Path(folder) / f"{name}.voice", dtype="<i2").astype(np.float32) / 32_768
        speech[name] = np.zeros(len(voices[name]), dtype=bool)
        for start, end in stretches:
            speech[name][start:end] = True
    names = list(voices)
    made = []
    for people in (1, 2, 3, 4):
        for overlaps in (False,) if people == 1 else (False, True):
            for number in range(count):
                seed = 1000 * people + 100 * overlaps + number
                chosen = random.Random(seed).sample(names, min(people, len(names)))
                samples, truth = make(voices, speech, chosen, seconds, overlaps, seed)
                noise = pink(len(samples), np.random.default_rng(seed))
                loud = np.sqrt(np.mean(samples**2))
                for condition in ("clean", "noise"):
                    mixed = samples + (noise * loud / 10 ** (NOISE_DB / 20) if condition == "noise" else 0)
                    file = f"{people}-{'overlaps' if overlaps else 'gaps'}-{number}-{condition}.pcm"
                    pcm = np.clip(mixed * 32_768, -32_768, 32_767).astype("<i2")
                    pcm.tofile(Path(folder) / file)
                    made.append({"file": file, "people": people, "condition": condition, "truth": truth})
    Path(folder, "truth.json").write_text(json.dumps(made))
    print(json.dumps([entry["file"] for entry in made]))


def annotation(stretches) -> Annotation:
    found = Annotation()
    for index, (start, end, label) in enumerate(stretches):
        if end > start:
            found[Segment(start, end), index] = str(label)
    return found


def waits(truth, said: dict, mapping: dict[str, str]) -> list[float]:
    """Returns the delay of each speaker's label, except for the first speaker of a conversation. The delay is
    the seconds from the speaker's first word until most of the speaker's past speech has the final label; 60
    if that never happens. Audio is sent in real time, and labels arrive when an utterance has ended."""
    middles, final = said["middles"], said["voices"]
    stretches: dict[str, list[tuple[float, float]]] = {}
    for start, end, name in truth:
        stretches.setdefault(name, []).append((start, end))
    begins = {name: min(start for start, _ in own) for name, own in stretches.items()}
    found = []
    for name in sorted(begins, key=begins.get)[1:]:
        own = [index for index, at in enumerate(middles) if any(start <= at <= end for start, end in stretches[name])]
        right = {label for label, other in mapping.items() if other == name}
        wait = 60.0
        for sent, voices in said["known"]:
            so_far = [index for index in own if index < len(voices)]
            if so_far and 2 * sum(str(voices[index]) in right for index in so_far) > len(so_far):
                wait = min(wait, sent - begins[name])
                break
        found.append(wait)
    return found


def offline(said: dict, embeddings: np.ndarray, people: int) -> list[tuple[float, float, int]]:
    """Labels the same speech with Ward's linkage for comparison. This method has all windows at once and
    knows the number of speakers. Afterwards each window moves to the nearest mean until no label changes, at
    most ten times."""
    labels = np.ones(len(embeddings), dtype=int)
    if people > 1:
        labels = fcluster(linkage(embeddings, "ward"), people, "maxclust")
    for _ in range(10):
        present = np.unique(labels)
        means = np.stack([embeddings[labels == label].mean(axis=0) for label in present])
        means /= np.linalg.norm(means, axis=1, keepdims=True)
        nearest = present[np.argmax(embeddings @ means.T, axis=1)]
        if (nearest == labels).all():
            break
        labels = nearest
    middles = np.array(said["middles"])
    step = 0.01
    found: list[list[float]] = []
    for start, end, _ in said["stretches"]:
        at = start
        while at < end:
            label = int(labels[np.argmin(np.abs(middles - at - step / 2))])
            if found and found[-1][2] == label and abs(found[-1][1] - at) < step / 2:
                found[-1][1] = min(end, at + step)
            else:
                found.append([at, min(end, at + step), label])
            at += step
    return [(start, end, label) for start, end, label in found]


def score(folder: str) -> None:
    labels = json.loads(Path(folder, "labels.json").read_text())
    cells: dict[str, dict] = {}
    for entry in json.loads(Path(folder, "truth.json").read_text()):
        # The library defines its collar as the sum of the seconds before and after a change.
        metric = DiarizationErrorRate(collar=2 * COLLAR, skip_overlap=False)
        said = labels[entry["file"]]
        reference, final = annotation(entry["truth"]), annotation(said["stretches"])
        found = metric(reference, final, detailed=True)
        embeddings = np.fromfile(Path(folder) / f"{entry['file']}.embeddings", dtype="<f4")
        embeddings = embeddings.reshape(len(said["middles"]), -1)
        clustered = metric(reference, annotation(offline(said, embeddings, entry["people"])), detailed=True)
        shown = metric(reference, annotation(said["shown"]), detailed=True)
        cell = cells.setdefault(
            f"{entry['people']} {entry['condition']}",
            {"total": 0, "errors": 0, "offline": 0, "shown": 0, "waits": [], "confusion": 0, "conversations": 0, "counted": 0},
        )
        cell["total"] += found["total"]
        cell["errors"] += found["missed detection"] + found["false alarm"] + found["confusion"]
        cell["offline"] += clustered["missed detection"] + clustered["false alarm"] + clustered["confusion"]
        cell["confusion"] += found["confusion"]
        cell["shown"] += shown["missed detection"] + shown["false alarm"] + shown["confusion"]
        cell["waits"] += waits(entry["truth"], said, metric.optimal_mapping(reference, final))
        cell["conversations"] += 1
        cell["counted"] += len({label for _, _, label in said["stretches"]}) == entry["people"]
    print(json.dumps(cells))


if sys.argv[1] == "read":
    read(sys.argv[2], sys.argv[3], sys.argv[4])
elif sys.argv[1] == "others":
    others(sys.argv[2], sys.argv[3])
elif sys.argv[1] == "make":
    write(sys.argv[2], float(sys.argv[3]), int(sys.argv[4]))
else:
    score(sys.argv[2])
