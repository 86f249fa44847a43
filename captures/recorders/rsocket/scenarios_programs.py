"""Programs that work as they should, of kinds that a rule had accused or no round has."""

from captures.recorders.rsocket.threads import library, near_miss

near_miss(
    "jobs_in_a_loop_py",
    library("py", "jobs_in_a_loop", "jobs"),
    "A script starts a job for each request",
    peer="py",
    thread="a program: the job of a scheduler",
    shows="Nine processes, each of which connects, asks once and ends.",
)
