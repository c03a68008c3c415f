"""Data frames: columns by name, words and dates, as the same table in a file."""

import warnings

import numpy as np
import pytest

import eccentric

pd = pytest.importorskip("pandas", reason="pandas is not installed: data frames are not tried")

SETTINGS = {"latent": 2, "epochs": 5, "threads": 1, "progress": False}


def people(n=120, seed=0):
    rng = np.random.default_rng(seed)
    height = rng.normal(170, 10, n)
    table = pd.DataFrame(
        {
            "age": rng.integers(18, 80, n),
            "height": height,
            "weight": height - 100 + rng.normal(0, 5, n),
            "city": rng.choice(["Rome", "Oslo", "La, Paz"], n),
            "since": pd.Timestamp("2024-01-01") + pd.to_timedelta(rng.integers(0, 300, n), "D"),
        }
    )
    table.loc[::7, "height"] = np.nan
    table.loc[3, "city"] = None
    table.loc[5, "since"] = pd.NaT
    return table


def trained(data, *labels, **more):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # remarks on missing cells
        return eccentric.train(data, *labels, **SETTINGS, **more)


@pytest.fixture(scope="module")
def table():
    return people()


@pytest.fixture(scope="module")
def words(table):
    """A run of all columns."""
    return trained(table)


@pytest.fixture(scope="module")
def numbers(table):
    return trained(table[["age", "height", "weight"]])


def test_words_and_dates_as_in_a_file(words, table, tmp_path):
    assert set(words.columns) == {"age", "height", "weight", "city=Rome", "city=Oslo", "city=La, Paz", "since"}
    path = tmp_path / "people.csv"
    table.to_csv(path, index=False)
    z, _ = words.latents(f"{path}:all", progress=False)
    np.testing.assert_allclose(words.encode(table), z, atol=1e-6)
    assert np.array_equal(trained(path, label="none").encode(table), words.encode(table))


def test_rows_come_back(words, table):
    found = words.to_frame(words.reconstruct(table))
    assert list(found.columns) == list(table.columns)
    assert set(found.city) <= {"Rome", "Oslo", "La, Paz"}
    assert abs(found.since - table.since).median() < pd.Timedelta(days=200)
    assert np.abs(found.weight - table.weight).median() < 20
    sampled = words.to_frame(words.sample(5))
    assert sampled.shape == (5, 5) and sampled.notna().all(axis=None)


def test_columns_by_name(numbers, words, table):
    z = numbers.encode(table[["age", "height", "weight"]])
    assert np.array_equal(numbers.encode(table), z)
    assert np.array_equal(numbers.encode(table[["weight", "since", "age", "height"]]), z)
    assert np.array_equal(numbers.encode(table[["age", "height", "weight"]].to_numpy()), z)
    assert np.array_equal(words.encode(table[list(table.columns)[::-1]]), words.encode(table))
    assert np.array_equal(numbers.measure(table).z, z)
    with pytest.raises(
        ValueError, match="has no column 'weight', which the model was trained on; it has: age, height"
    ):
        numbers.encode(table[["age", "height"]])
    with pytest.raises(ValueError, match="column 'age' does not hold numbers"):
        numbers.encode(table.assign(age="old"))
    with pytest.raises(ValueError, match="column 'since' does not hold dates"):
        words.encode(table.assign(since="once"))


def test_unknown_words_and_gaps(words, table):
    assert np.isfinite(words.encode(table.assign(city="Atlantis"))).all()
    assert np.isfinite(words.encode(table.assign(city=None, height=np.nan))).all()


def test_types_of_pandas(table):
    whole = pd.DataFrame(
        {
            "a": pd.array([1, 2, None] * 30, dtype="Int64"),
            "b": np.random.default_rng(0).normal(size=90),
            "c": pd.array([True, False, None] * 30, dtype="boolean"),
        }
    )
    with pytest.warns(UserWarning, match="missing cells: 60"):
        run = eccentric.train(whole, **SETTINGS)
    assert run.columns == ["a", "b", "c"] and run.encode(whole).shape == (90, 2)
    kinds = table.assign(city=table.city.astype("category"), note=[f"text {i}" for i in range(len(table))])
    with pytest.warns(UserWarning, match=r"left out \(a different word in every row\): note"):
        run = eccentric.train(kinds, **SETTINGS)
    assert run.encode(kinds.drop(columns="note")).shape == (120, 2)


def test_labels(table):
    city = table.city.fillna("nowhere")
    run = trained(table.drop(columns="city"), city)
    assert sorted(run.classify(progress=False).names) == sorted(set(city))
    with pytest.raises(ValueError, match=r"labels\[3\] is missing, expected a class for each item"):
        trained(table, table.city)
    with pytest.raises(ValueError, match="two columns are named 'age'"):
        trained(table.rename(columns={"height": "age"}))


def test_saved_and_opened(words, table, tmp_path):
    words.save(tmp_path / "run")
    again = eccentric.open_run(tmp_path / "run")
    assert np.array_equal(again.encode(table), words.encode(table))
    assert list(again.to_frame(again.sample(2)).columns) == list(table.columns)


def test_polars(numbers, words, table):
    pl = pytest.importorskip("polars", reason="polars is not installed: its frames are not tried")
    plain = {name: [None if pd.isna(cell) else cell for cell in table[name]] for name in table.columns}
    frame = pl.DataFrame(plain)
    np.testing.assert_allclose(numbers.encode(frame), numbers.encode(table), atol=1e-6)
    np.testing.assert_allclose(words.encode(frame), words.encode(table), atol=1e-6)
    assert np.array_equal(trained(frame).encode(frame), words.encode(table))
