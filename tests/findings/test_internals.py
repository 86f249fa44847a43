"""Error texts that show the inside of a program."""

from tests.failures import every

from streamshark.findings.internals import inner_detail, stack_trace

JAVA = "java.lang.IllegalStateException: no\n\tat com.shop.Orders.find(Orders.java:17)\n"
NODE = "Error: no\n    at find (/srv/app/orders.js:17:5)\n    at node:internal/main:3"
NET = "System.Exception: no\n   at Shop.Orders.Find(Int32 id) in C:\\src\\Orders.cs:line 17"
PYTHON = 'Traceback (most recent call last):\n  File "/srv/app/orders.py", line 17, in find'
GO = "panic: no\n\ngoroutine 1 [running]:\nmain.find()\n\t/srv/app/main.go:17 +0x1d"
RUST = "thread panicked\nstack backtrace:\n   0: find\n             at ./src/main.rs:17"


@every(
    ("text", "language"),
    [
        (JAVA, "Java"),
        (NODE, "J"),
        (NET, "."),
        (PYTHON, "Python"),
        (GO, "Go"),
        (RUST, "Rust"),
        ("/srv/orders.rb:17:in `find'", "Ruby"),
        ("java.lang.IllegalStateException: no order 7", ""),
        ("no order\n  at this address", ""),
        ("look at line 17", ""),
        ("", ""),
        (None, ""),
    ],
)
def test_stack_traces(text: str | None, language: str) -> None:
    """A stack trace is recognised by its form; a class with a message alone is not one."""
    assert stack_trace(text).startswith(language)
    assert bool(stack_trace(text)) is bool(language)


@every(
    ("text", "found"),
    [
        ("cannot reach amqp://app:secret@broker:5672", "credentials"),
        ("cannot reach amqp://broker:5672", ""),
        ("login failed, password=hunter2", "credentials"),
        ("the password is wrong", ""),
        ("SQLSTATE[42P01]: no table", "database"),
        ("select id from orders where id = 7 failed", "database"),
        ("select one from the list", ""),
        ("please select an item", ""),
        ("", ""),
        (None, ""),
    ],
)
def test_details(text: str | None, found: str) -> None:
    """Named, and not repeated."""
    assert found in inner_detail(text)
    assert bool(inner_detail(text)) is bool(found)
    assert "hunter2" not in inner_detail(text)
