"""A forecaster that misbehaves on request, to see what the warm worker and those who ask it make of it."""

import os
import signal
import time

import numpy as np

from forecasting.joint import Capabilities, Diagnosis, ForecastRequest, JointForecast
from gonogo.errors import ForecastUnavailable


class Misbehaving:
    """Repeats the last reading; the id of the first series may ask for trouble instead."""

    name = "misbehaving"
    version = "misbehaving 1"
    capabilities = Capabilities(notes=("for tests",))

    def forecast(self, request: ForecastRequest) -> JointForecast:
        """`hang`, `memory`, `die`, `refuse`, `fault`, `slow` and `lie` do what they say."""
        match request.ids[0]:
            case "hang":
                while True:
                    time.sleep(60)
            case "slow":
                time.sleep(0.5)
            case "memory":
                hoard = np.ones(10**10)
                raise AssertionError(f"{hoard.nbytes} bytes were given")
            case "die":
                os.kill(os.getpid(), signal.SIGKILL)
            case "refuse":
                raise ForecastUnavailable("no such thing", "ask for another")
            case "fault":
                raise ZeroDivisionError("a fault of the backend")
            case _:
                pass
        shape = (len(request.ids), request.horizon, len(request.levels))
        quantiles = np.broadcast_to(request.values[:, -1, None, None], shape).copy()
        if request.ids[0] == "lie":
            quantiles[0, 0, 0] = np.inf
        diagnosis = Diagnosis(request.values.shape[1], warnings=(f"{os.getpid()}",))
        return JointForecast(self.version, request.levels, quantiles, (diagnosis,) * len(request.ids))


def broken() -> Misbehaving:
    """A forecaster that cannot be opened."""
    raise ForecastUnavailable("its weights are missing", "look for them")
