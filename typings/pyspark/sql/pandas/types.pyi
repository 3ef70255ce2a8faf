"""What is used of pyspark.sql.pandas.types."""

import pyarrow as pa
from pyspark.sql import StructType

def from_arrow_schema(arrow_schema: pa.Schema) -> StructType: ...
