"""What is used of nemo_curator.stages.text.download.common_crawl.warc_iterator."""

from nemo_curator.stages.text.download import DocumentIterator

class CommonCrawlWarcIterator(DocumentIterator): ...
