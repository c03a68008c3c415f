"""The report, the explorer as one file, methods side by side."""

import json
import urllib.request

import numpy as np
import pytest

import eccentric
from eccentric import _library

pytestmark = pytest.mark.skipif(not _library.has_pages, reason="this library writes no pages")


def test_report(run, tmp_path):
    found = run.report(tmp_path / "report.html", progress=False)
    text = (tmp_path / "report.html").read_text()
    assert text.startswith("<!doctype html>") and len(text.encode()) == found.bytes
    assert found.items > 0 and 0 < found.error < 1 and 0.5 < found.kept <= 1
    assert "out=" in found.missing["training"] and found.path == str(tmp_path / "report.html")


def test_report_of_a_directory(table, tmp_path):
    labels = np.where(table[:, 0] > 10, "high", "low")
    settings = {"latent": 2, "epochs": 5, "threads": 1, "progress": False}
    run = eccentric.train(table, labels, out=tmp_path / "run", **settings)
    found = run.report(tmp_path / "report.html", baselines=False, progress=False)
    assert found.missing == {} and found.items > 0


def test_report_to_nowhere(run, tmp_path):
    with pytest.raises(FileNotFoundError, match="nowhere"):
        run.report(tmp_path / "nowhere" / "report.html", progress=False)


@pytest.mark.parametrize("weights", ["auto", "float16", "int8"])
def test_page_of_a_table(run, table, tmp_path, weights):
    found = run.page(tmp_path / "explorer.html", weights=weights, progress=False)
    assert found.items == len(table) and found.bytes == (tmp_path / "explorer.html").stat().st_size


def test_page_of_images(image_run, tmp_path):
    found = image_run[0].page(tmp_path / "explorer.html", items=50, progress=False)
    assert found.items == 50


def test_the_explorer_knows_what_was_trained_on(run, table):
    with run.explore(open_browser=False) as explorer:
        about = json.load(urllib.request.urlopen(explorer.url + "api/about"))
    items = about["items"]
    assert items["count"] == len(table) and items["trained_on"] == run.training.items


def test_page_with_weights_of_another_kind(run, tmp_path):
    with pytest.raises(ValueError, match="weights is 'fp4', expected"):
        run.page(tmp_path / "explorer.html", weights="fp4")


def test_compare(table, tmp_path):
    labels = np.where(table[:, 0] > 10, "high", "low")
    settings = {"latent": 2, "epochs": 2, "seeds": 1, "lambdas": 1, "threads": 1, "progress": False}
    found = eccentric.compare(table, ["eccentric", "none"], labels=labels, out=tmp_path / "c", **settings)
    assert "none" in (tmp_path / "c" / "compare.html").read_text()
    assert found.path == str(tmp_path / "c" / "compare.html") and found.results
    pandas = pytest.importorskip("pandas")
    rows = found.to_frame()
    assert isinstance(rows, pandas.DataFrame) and {"eccentric", "none"} <= set(rows["method"])


def test_compare_for_how_long(table, tmp_path):
    with pytest.raises(ValueError, match="either minutes= or epochs="):
        eccentric.compare(table, "none", out=tmp_path / "c")
