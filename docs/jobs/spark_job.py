"""Clean archives on Spark: `spark-submit spark_job.py OUTPUT ARCHIVE...`."""

import sys

from pyspark.sql import SparkSession

from winnow.spark import clean_archives

if __name__ == "__main__":
    output, *archives = sys.argv[1:]
    spark = SparkSession.builder.appName("winnow").getOrCreate()
    paths = spark.createDataFrame([(path,) for path in archives], "path string")
    clean_archives(paths.repartition(len(archives))).write.parquet(output)
    spark.stop()
