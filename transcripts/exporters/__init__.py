"""Games as files of other tools: parquet, CSV, Arrow, and a folder that Hugging Face `datasets` loads."""
