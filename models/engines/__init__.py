"""The engines: rules that turn the blocks of a page into verdicts; see `choice`."""
