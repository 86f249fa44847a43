"""Policies: what a file may say, and what is refused."""

from pathlib import Path

import pytest
from tests.failures import every

from streamshark.errors import StreamsharkError
from streamshark.sharing.policy import DEFAULT, Policy, load_policy


def test_the_printed_policy_is_the_default(tmp_path: Path) -> None:
    """What `--policy print` writes can be read again."""
    path = tmp_path / "policy.toml"
    path.write_text(DEFAULT)
    assert load_policy(str(path)) == Policy()


def test_a_policy_keeps_kinds_and_roles(tmp_path: Path) -> None:
    """`host` means all three roles of hosts."""
    path = tmp_path / "policy.toml"
    path.write_text('keep = ["stream", "host"]\nkeep_unknown = true\n')
    hosts = {"host", "server_host", "client_host"}
    assert load_policy(str(path)) == Policy(frozenset({"stream", *hosts}), keep_unknown=True)


@every(
    ("text", "says"),
    [
        ("keep = [", "not TOML"),
        ('keep = ["everything"]', "cannot keep 'everything'"),
        ("keep = 1", "a list of words"),
        ("keeps = []", "unknown setting 'keeps'"),
        ("decrypted = 1", "must be true or false"),
    ],
)
def test_a_wrong_policy_is_refused(text: str, says: str, tmp_path: Path) -> None:
    """With the reason."""
    path = tmp_path / "policy.toml"
    path.write_text(text)
    with pytest.raises(StreamsharkError, match=says):
        load_policy(str(path))
