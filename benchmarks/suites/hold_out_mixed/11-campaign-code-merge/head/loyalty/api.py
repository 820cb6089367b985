from fastapi import FastAPI

app = FastAPI()


@app.get("/balance/{member}")
def balance(member: str):
    return {"member": member, "currency": "points"}
