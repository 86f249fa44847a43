"""`python -m streamshark` is the program."""

from streamshark.cli.main import main

if __name__ == "__main__":
    main()
