from pydantic import BaseSettings


class Settings(BaseSettings):
    seatmap_table: str
    hold_seconds: int = 480


settings = Settings()
