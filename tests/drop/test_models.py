from pathlib import Path

import pytest

from numprobe.drop.language_model import LanguageModel
from numprobe.drop.models import LANGUAGE_MODELS, TrainedNAQANet, load_model
from numprobe.errors import NumprobeError


def test_catalogue_names_resolve_to_their_files() -> None:
    for name in LANGUAGE_MODELS:
        model = load_model(name)
        assert isinstance(model, LanguageModel)
        assert model.model == f"package:{name}"
        assert model.gguf.endswith(".gguf")


def test_a_folder_or_a_hub_id_with_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("here").mkdir()
    assert load_model("here:gguf=weights.gguf") == LanguageModel("here", gguf="weights.gguf")
    assert load_model("someone/some-model") == load_model("language-model:model=someone/some-model")
    Path("naqanet").mkdir()
    assert load_model("naqanet") == TrainedNAQANet()


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("smollm2", "unknown model 'smollm2'; did you mean 'smollm2-135m'"),
        ("smollm2-135m:layer=3", "unknown setting of model 'language-model' 'layer'"),
        ("someone/some-model:trust_remote_code=perhaps", "unknown trust_remote_code 'perhaps'"),
        ("language-model", "needs model"),
    ],
)
def test_unknown_models_and_settings(name: str, message: str) -> None:
    with pytest.raises(NumprobeError, match=message):
        load_model(name)
