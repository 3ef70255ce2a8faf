"""The main job in one process, on an embedded broker."""
