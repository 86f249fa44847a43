"""What all tests share: how hard the property tests try."""

from hypothesis import settings

settings.register_profile("fast", max_examples=50, deadline=None, derandomize=True)
settings.register_profile("deep", max_examples=5000, deadline=None)
settings.load_profile("fast")
