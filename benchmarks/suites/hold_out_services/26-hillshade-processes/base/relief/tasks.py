from .app import celery_app
from .raster import compose, upload


@celery_app.task(name="relief.tasks.shade", max_retries=2)
def shade(z: int, x: int, y: int, style: str) -> str:
    image = compose(z, x, y, style)
    return upload(f"{style}/{z}/{x}/{y}.webp", image)
