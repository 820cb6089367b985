from pydantic import AliasChoices, Field
from pydantic_settings import BaseSettings


class Settings(BaseSettings):
    cache_url: str = Field(validation_alias=AliasChoices("CACHE_URL", "REDIS_URL"))
    database_url: str


settings = Settings()
