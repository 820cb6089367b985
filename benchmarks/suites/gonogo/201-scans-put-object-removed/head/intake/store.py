import boto3

s3 = boto3.client("s3")
BUCKET = "clinicnote-scans"


def save(scan_id: str, body: bytes) -> None:
    s3.put_object(Bucket=BUCKET, Key=f"{scan_id}.tiff", Body=body)


def load(scan_id: str) -> bytes:
    return s3.get_object(Bucket=BUCKET, Key=f"{scan_id}.tiff")["Body"].read()


def forget(scan_id: str) -> None:
    s3.delete_object(Bucket=BUCKET, Key=f"{scan_id}.tiff")
