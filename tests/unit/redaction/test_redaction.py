"""Secrets never pass; sequences, hashes and accession numbers always do."""

from __future__ import annotations

import base64
import random
import string
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import quote, quote_plus

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from labagent.redaction import find_secrets, redact, secret_names

SECRET = "Zq7/+x9 Kp!w3=Lm&tR"
PRINTABLE = st.text(
    alphabet=string.ascii_letters + string.digits + "+/=_-!&%:.@# ", min_size=8, max_size=60
).filter(lambda value: not Path(value).exists())  # a path that is there is no secret


@pytest.fixture
def secret(monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("LAB_API_TOKEN", SECRET)
    return SECRET


def test_plain_value_is_replaced_by_the_variables_name(secret: str) -> None:
    assert redact(f"before {secret} after") == "before [redacted:LAB_API_TOKEN] after"


@pytest.mark.parametrize("encode", [lambda s: quote(s, safe=""), quote, quote_plus])
def test_url_encoded_value_is_replaced(secret: str, encode) -> None:
    for text in (encode(secret), encode(secret).replace("%2F", "%2f").replace("%2B", "%2b")):
        assert redact(f"https://host/?k={text}&x=1") == "https://host/?k=[redacted:LAB_API_TOKEN]&x=1"


@pytest.mark.parametrize("before", ["", "a", "ab", "abc", "user:"])
@pytest.mark.parametrize("after", ["", "z", "zz", "\n"])
@pytest.mark.parametrize("alphabet", [base64.b64encode, base64.urlsafe_b64encode])
def test_base64_is_replaced_at_every_alignment_padded_or_not(secret: str, before, after, alphabet) -> None:
    encoded = alphabet((before + secret + after).encode()).decode()
    for text in (encoded, encoded.rstrip("=")):
        cleaned = redact(f"x {text} y")
        assert "[redacted:LAB_API_TOKEN]" in cleaned
        rest = cleaned.replace("[redacted:LAB_API_TOKEN]", "")
        assert len(rest) <= len("x  y") + 4 * (len(before) + len(after)) / 3 + 5


def test_wrapped_base64_and_hexadecimal_are_replaced(secret: str) -> None:
    wrapped = base64.encodebytes(("x" * 40 + secret + "y" * 40).encode()).decode()
    assert "[redacted:LAB_API_TOKEN]" in redact(wrapped)
    assert redact(secret.encode().hex().upper()) == "[redacted:LAB_API_TOKEN]"


def test_what_a_real_command_prints_is_replaced(secret: str) -> None:
    script = 'printf %s "$LAB_API_TOKEN" | base64; printf %s "$LAB_API_TOKEN" | base64 -w 8; env'
    output = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True).stdout
    cleaned = redact(output)
    assert secret not in cleaned and base64.b64encode(secret.encode()).decode()[:12] not in cleaned
    assert cleaned.count("[redacted:LAB_API_TOKEN]") == 3


@given(value=PRINTABLE, before=st.text(max_size=20), after=st.text(max_size=20))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=150, deadline=None)
def test_no_form_of_any_value_survives(monkeypatch: pytest.MonkeyPatch, value, before, after) -> None:
    with monkeypatch.context() as patch:
        patch.setenv("SOME_PASSWORD", value)
        forms = [value, quote(value, safe=""), base64.b64encode(value.encode()).decode()]
        for form in forms:
            assert form not in redact(f"{before}\n{form}\n{after}") or form in "[redacted:SOME_PASSWORD]"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("sk-proj-abcdEFGH1234567890abcdEFGH", "sk-key"),
        ("sk-ant-api03-AbCdEfGhIjKlMnOpQrStUv_wxyz0123", "sk-key"),
        ("ghp_" + "a1B2" * 9, "git-token"),
        ("github_pat_" + "A1b2C3d4E5" * 8, "git-token"),
        ("AKIAIOSFODNN7EXAMPLE", "cloud-access-key"),
        ("hf_" + "AbCdEfGhIjKlMnOpQrStUvWxYzAbCdEfGh", "hub-token"),
        ("xoxb-123456789012-abcdefGHIJKL", "chat-token"),
        ("eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9", "web-token"),
    ],
)
def test_known_kinds_of_keys_are_replaced(text: str, kind: str) -> None:
    assert redact(f"key={text}\n").count(f"[redacted:{kind}]") == 1
    assert text not in redact(f"'{text}',")


def test_private_keys_headers_and_urls_are_replaced() -> None:
    block = "-----BEGIN RSA PRIVATE KEY-----\nMIIEow\nabc=\n-----END RSA PRIVATE KEY-----"
    assert redact(f"a\n{block}\nb") == "a\n[redacted:private-key]\nb"
    cut = "-----BEGIN OPENSSH PRIVATE KEY-----\n" + "b3BlbnNzaC1rZXktdjEA\n" * 3
    assert "b3Blbn" not in redact(cut)
    assert (
        redact("Authorization: Bearer abcdef0123456789abcdef")
        == "Authorization: Bearer [redacted:authorization]"
    )
    assert redact("git clone https://me:s3cr3t@host.org/r.git") == (
        "git clone https://[redacted:userinfo]@host.org/r.git"
    )
    assert redact("git clone ssh://git@host.org/r.git") == "git clone ssh://git@host.org/r.git"
    assert redact("export password=hunter2hunter2") == "export password=[redacted:assigned]"


def test_a_url_with_a_password_in_the_environment_gives_away_only_the_host(monkeypatch) -> None:
    monkeypatch.setenv("PIP_INDEX_URL", "https://me:s3cr3tpass@mirror.lab/simple")
    assert redact("s3cr3tpass at mirror.lab") == "[redacted:PIP_INDEX_URL] at mirror.lab"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("SHORT_KEY", "abc1234"),
        ("TOKENIZERS_PARALLELISM", "disabled-for-now"),
        ("GOOGLE_APPLICATION_CREDENTIALS", "/etc/passwd"),
        ("PATH_LIKE", "some-long-value"),
    ],
)
def test_what_is_no_secret_stays(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    monkeypatch.setenv(name, value)
    assert name not in secret_names()
    assert redact(f"x {value} y") == f"x {value} y"


def test_a_change_of_the_environment_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("A_SECRET", "first-value-1")
    assert redact("first-value-1") == "[redacted:A_SECRET]"
    monkeypatch.setenv("A_SECRET", "other-value-2")
    assert redact("first-value-1 other-value-2") == "first-value-1 [redacted:A_SECRET]"


ACCESSIONS = st.from_regex(
    r"(?:NM_\d{6,9}\.\d|ENSG\d{11}|rs\d{3,9}|GSE\d{3,6}|PF\d{5}|[OPQ][0-9][A-Z0-9]{3}[0-9]|CHEMBL\d+)",
    fullmatch=True,
)
HARMLESS = st.one_of(
    st.text(alphabet="ACGT", min_size=8, max_size=200),
    st.text(alphabet="ACDEFGHIKLMNPQRSTVWY", min_size=8, max_size=200),
    st.text(alphabet=string.hexdigits.lower(), min_size=32, max_size=64),
    st.uuids().map(str),
    ACCESSIONS,
    st.floats(allow_nan=False).map(repr),
)


@given(st.lists(HARMLESS, min_size=1, max_size=6))
@example(["AKIAGHILKMNPQRSTVWYA"])
@example(["sk-learn-contrib-and-other-words", "risk-adjusted-something-model"])
@settings(max_examples=300, deadline=None)
def test_sequences_hashes_and_accessions_pass(words: list[str]) -> None:
    text = " ".join(words) + "\n" + "/".join(words) + "\n" + ":".join(words)
    assert redact(text) == text


@given(st.text(max_size=300))
@settings(max_examples=200, deadline=None)
def test_redacting_twice_changes_nothing(text: str) -> None:
    once = redact(text)
    assert redact(once) == once


def test_ten_times_the_text_takes_about_ten_times_as_long(secret: str) -> None:
    generator = random.Random(0)
    text = "".join(generator.choices("ACGTacgt0123456789 \n/:._-key token", k=1_000_000))

    def taken(part: str) -> float:
        started = time.process_time()
        assert redact(part) == part
        return time.process_time() - started

    assert taken(text) < 40 * max(min(taken(text[:100_000]) for _ in range(3)), 0.005)


def test_places_of_secrets_are_those_that_redact_takes_out(secret: str) -> None:
    text = f"a {secret}{secret} b sk-{'a1' * 20} c {base64.b64encode(secret.encode()).decode()} d"
    parts, place = [], 0
    for start, end in find_secrets(text):
        parts.append(text[place:start])
        place = end
    parts.append(text[place:])
    assert parts == ["a ", "", " b ", " c ", " d"]
    assert find_secrets(redact(text)) == []


HOSTILE = (
    *("password=x", "-----BEGIN RSA PRIVATE KEY-----", "sk-", "a.a://", "a://b:", "Bearer x"),
    *("eyJaaaaaaaaaaaa.", "xoxb-a", 'secret = "', "a."),
)


def test_a_hostile_megabyte_does_not_hang() -> None:
    """In a process that may use a minute: a pattern that scans on from each beginning takes hours."""
    code = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_CPU, (60, 60))\n"
        "from labagent.redaction import redact\n"
        f"for text in {HOSTILE!r}:\n"
        "    redact(text * ((1 << 20) // len(text)))\n"
        "print('done')"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout == "done\n", (done.returncode, done.stderr)


def test_a_long_value_and_a_whole_key_are_still_found() -> None:
    key = "-----BEGIN PRIVATE KEY-----\n" + "QUJDREVGR0hJSktMTU5PUA==\n" * 40 + "-----END PRIVATE KEY-----"
    assert redact(f"before {key} after") == "before [redacted:private-key] after"
    assert "a1b2" not in redact("password=" + "a1b2" * 400)
