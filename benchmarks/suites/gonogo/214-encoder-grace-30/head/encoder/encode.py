import subprocess


def encode(job: dict) -> None:
    subprocess.run(["ffmpeg", "-i", job["source"], "-c:v", "libx265", job["target"]], check=True)
    print(f"encoded job={job['id']}")
