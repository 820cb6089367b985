from .store import load


class SessionMiddleware:
    def __init__(self, app):
        self.app = app

    def __call__(self, environ, start_response):
        environ["session"] = load(environ.get("HTTP_X_SESSION", ""))
        return self.app(environ, start_response)
