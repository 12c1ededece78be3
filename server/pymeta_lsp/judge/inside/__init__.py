"""What runs inside the box: standard library only, any CPython from 3.10, no import from outside this folder.

    judge ── control socket ──> zygote (pid 1 of the box)            enter.py, zygote.py
                                  └─ warden (pid 1 of one run)       zygote.py: mounts, waits, reports how it ended
                                       └─ the student's program      execute.py: own session, no rights, own limits

The zygote is a started interpreter that forks for every run, so that a run costs a fork instead of an interpreter's
start. The modules here are loaded as the package ``pymeta_judge_inside`` by a two-line bootstrap, because the box holds
this folder and not the rest of the distribution.
"""
