"""The rules that turn the blocks of a page into verdicts, one home each; see `choice`."""
