"""Questions per second in training NAQANet, beside a plain implementation of the same model, and the peak memory.

python benchmarks/naqanet.py [--data drop_dataset_train.json] [--seconds 20] [--sizes small,full] [--words EMBEDDER]

--words adds a variant with other words, such as the states of an encoder (minilm-l6:layer=4), computed beforehand.

The plain one (`plain_naqanet.py`) takes batches of 16 questions in random order, each with its own passage, padded to
the longest. Every variant runs in a process of its own, in turns, for about the same time.
"""

import argparse
import json
import resource
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import torch
from measuring import record
from plain_naqanet import Plain

from numprobe.drop.formats import read_passages
from numprobe.drop.generator import GeneratorSettings, generate
from numprobe.drop.naqanet.batches import collate, plan
from numprobe.drop.naqanet.learner import Learner, TrainingRecipe, seeded
from numprobe.drop.naqanet.model import SIZES, NAQANet, log_likelihood
from numprobe.drop.naqanet.reading import TokenizedPassage, count_words, to_learn
from numprobe.drop.naqanet.vocabulary import Alphabet
from numprobe.drop.naqanet.words import WordInput
from numprobe.numbers import generator

VECTORS = {"small": 50, "full": 300}
"""Widths of the word vectors; their values don't matter here."""
TURNS = 2


def measure(size: str, variant: str, data: str, seconds: float, words: str) -> dict[str, float]:
    passages = read_passages(data) if data else tuple(generate(GeneratorSettings(passages=60)))
    readings = list(to_learn(passages))
    alphabet = Alphabet.of(count_words(readings), 200)
    vectors = WordInput.of(words) if variant == "words" else WordInput("", VECTORS[size])
    # Both drop alike, so that both do the same work.
    sizes = replace(SIZES[size], dropout=SIZES["full"].dropout, skipped=SIZES["full"].skipped)
    recipe = TrainingRecipe()
    with seeded(0, "weights"):
        network = NAQANet(sizes, len(alphabet.characters), vectors.width)
    rng = generator(0, "order")
    if variant == "plain":
        alone = [replace(one, questions=(asked,)) for one in readings for asked in one.questions]
        order = [alone[place] for place in rng.permutation(len(alone))]
        batches = [order[start : start + recipe.questions] for start in range(0, len(order), recipe.questions)]
        step = plain_step(Plain(network, sizes.dropout), recipe)
    else:
        batches = plan(readings, recipe.questions, 6400, recipe.together, rng)[: int(30 * seconds)]
        vectors.add([reading for batch in batches for reading in batch])
        learner = Learner(network, recipe)
        step = learner.step
    done = asked = 0
    began = 0.0
    for done, part in enumerate(batches):
        if done == 1:  # the first one warms up
            asked, began = 0, time.process_time()
        batch = collate(part, alphabet, vectors)
        step(batch, done)
        asked += len(batch.questions)
        if done and time.process_time() - began > seconds:
            break
    return {"speed": asked / (time.process_time() - began), "megabytes": peak_megabytes(), "steps": done}


def peak_megabytes() -> float:
    """Of this process alone: getrusage begins with what the process that started it held."""
    status = Path("/proc/self/status")
    if not status.exists():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    (line,) = (line for line in status.read_text().splitlines() if line.startswith("VmHWM:"))
    return int(line.split()[1]) / 1024


def plain_step(plain: Plain, recipe: TrainingRecipe):
    optimiser = torch.optim.Adam(
        plain.parameters(), recipe.rate, recipe.betas, recipe.epsilon, weight_decay=2 * recipe.penalty, foreach=False
    )
    average = [weight.detach().clone() for weight in plain.parameters()]

    def step(batch, number: int) -> None:
        optimiser.zero_grad()
        loss = -log_likelihood(plain(batch), batch).mean()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(plain.parameters(), recipe.largest_gradient)
        optimiser.step()
        kept = min(recipe.decay, (1 + number) / (10 + number))
        for mean, weight in zip(average, plain.parameters(), strict=True):
            mean.copy_(kept * mean + (1 - kept) * weight.detach())

    return step


def agree(readings: list[TokenizedPassage]) -> float:
    """The largest difference between the outputs of both."""
    alphabet, vectors = Alphabet.of(count_words(readings), 1), WordInput("", 10)
    with seeded(0, "weights"):
        network = NAQANet(SIZES["small"], len(alphabet.characters), vectors.width).eval()
    batch = collate(readings, alphabet, vectors)
    ours, plain = network(batch), Plain(network, 0.0).eval()(batch)
    differences = ((one - other).exp() - 1 for one, other in zip(ours, plain, strict=True))
    return max(float(difference.abs().max()) for difference in differences)


def main() -> None:
    options = argparse.ArgumentParser()
    options.add_argument("--data", default="")
    options.add_argument("--seconds", type=float, default=20)
    options.add_argument("--sizes", default="small,full")
    options.add_argument("--words", default="")
    options.add_argument("--one", nargs=2, metavar=("SIZE", "VARIANT"))
    given = options.parse_args()
    torch.set_num_threads(1)
    if given.one:
        print(json.dumps(measure(*given.one, given.data, given.seconds, given.words)))
        return
    print(f"largest difference of any output: {agree(list(to_learn(generate(GeneratorSettings(passages=4))))):.1e}")
    figures: dict[str, float] = {}
    for size in given.sizes.split(","):
        speeds: dict[str, list[float]] = {"numprobe": [], "plain": [], **({"words": []} if given.words else {})}
        for variant in list(speeds) * TURNS:
            command = [sys.executable, __file__, "--one", size, variant, "--data", given.data, "--words", given.words]
            ran = subprocess.run([*command, "--seconds", str(given.seconds / TURNS)], check=True, capture_output=True)
            one = json.loads(ran.stdout)
            speeds[variant].append(one["speed"])
            figures[f"{size} {variant} megabytes"] = one["megabytes"]
        for variant, found in speeds.items():
            figures[f"{size} {variant} questions per second of one processor"] = max(found)
        figures[f"{size} times faster"] = max(speeds["numprobe"]) / max(speeds["plain"])
    record("naqanet", **figures)


if __name__ == "__main__":
    main()
