import os

from influxdb_client import InfluxDBClient
from influxdb_client.client.write_api import SYNCHRONOUS

client = InfluxDBClient(url="http://influx:8086", token=os.environ["INFLUX_TOKEN"], org="bigard")


def write(reading: dict) -> None:
    client.write_api(write_options=SYNCHRONOUS).write("hives", record={"measurement": "hive", "tags": {"hive": reading["hive"]},
                                                                       "fields": {"kg": reading["kg"], "celsius": reading["celsius"]}})
