from pathlib import Path

from labagent.sandbox.variables import (
    allowed_variables,
    carries_credentials,
    named_folders,
    standard_variables,
)


def test_only_listed_variables_without_secrets_pass() -> None:
    environ = {
        "PIP_INDEX_URL": "https://mirror.example/simple",
        "PIP_EXTRA_INDEX_URL": "https://me:secret@mirror.example/simple",
        "UV_INDEX": "https://token123@mirror.example/simple",
        "UV_DEFAULT_INDEX": "https://mirror.example/simple?token=abc",
        "UV_INDEX_LAB_PASSWORD": "secret",
        "UV_PUBLISH_TOKEN": "secret",
        "PIP_CACHE_DIR": "/home/me/.cache/pip",
        "UV_CONFIG_FILE": "/home/me/uv.toml",
        "PIP_TARGET": "/somewhere",
        "SSL_CERT_FILE": "/etc/ssl/cert.pem",
        "https_proxy": "http://proxy.example:3128",
        "HTTP_PROXY": "http://user:pw@proxy.example:3128",
        "OPENAI_API_KEY": "sk-secret",
        "AWS_SECRET_ACCESS_KEY": "secret",
        "HOME": "/home/me",
        "LD_PRELOAD": "/tmp/x.so",
        "PYTHONPATH": "/home/me",
        "SSH_AUTH_SOCK": "/tmp/agent",
    }
    assert set(allowed_variables(environ)) == {"PIP_INDEX_URL", "SSL_CERT_FILE", "https_proxy"}


def test_credentials_are_seen_in_addresses() -> None:
    assert carries_credentials("index-url = https://me:pw@host/simple")
    assert not carries_credentials("https://host/simple me@example.org")


def test_cores_reach_every_numeric_library() -> None:
    found = standard_variables(3)
    assert {found[n] for n in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")} == {"3"}
    assert found["PYTHONHASHSEED"] == "0" and found["TZ"] == "UTC"


def test_local_package_folders_are_found(tmp_path: Path) -> None:
    variables = {"PIP_FIND_LINKS": f"file://{tmp_path} /does/not/exist https://host/x", "PIP_TIMEOUT": "15"}
    assert named_folders(variables) == [tmp_path]
