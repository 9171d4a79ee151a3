-- Rules that do not come to an end. `cases/` names the public reports that each example is about.
return { api = 1, title = "Failures", limits = { memory_bytes = 1000000 } }
