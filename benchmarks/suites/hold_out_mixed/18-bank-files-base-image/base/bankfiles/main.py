import time

import schedule

from bankfiles import download, parse


def run():
    for name in download.names():
        parse.store(name, download.get(name))


schedule.every(10).minutes.do(run)
while True:
    schedule.run_pending()
    time.sleep(1)
