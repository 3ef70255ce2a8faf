"""Variables that Kubernetes sets for its services do no harm."""

from winnow.worker.environment import drop_foreign_variables


def test_drop_foreign_variables_removes_what_faust_would_read_and_nothing_else() -> None:
    environ = {"FAUST_WEB_PORT": "tcp://10.0.0.1:80", "F_DATADIR": "x", "WINNOW_GROUP": "g"}

    drop_foreign_variables(environ)

    assert environ == {"WINNOW_GROUP": "g"}
