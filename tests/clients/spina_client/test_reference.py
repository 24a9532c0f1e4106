"""The reference of the client holds every public class and function, in words."""

from tests.clients.spina_client.reference import PATH, build_reference, list_undocumented


def test_every_class_and_function_of_the_client_has_words() -> None:
    assert list_undocumented() == []


def test_the_reference_is_that_of_the_docstrings() -> None:
    assert PATH.read_text() == build_reference(), "run `python -m tests.clients.spina_client.reference`"
