"""`python -m streamshark`."""

from streamshark.cli.main import main

main()
