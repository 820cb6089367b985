import subprocess


def encode(source: str, target: str) -> None:
    subprocess.run(["/opt/bin/encode", source, target], check=True)
