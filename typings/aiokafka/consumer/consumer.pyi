Fetcher: type
