import subprocess


def shrink(source: str, target: str) -> None:
    subprocess.run(["/opt/bin/shrink", source, target], check=True)
