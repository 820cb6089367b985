export class Room {
  constructor(private state: DurableObjectState) {}

  async fetch(): Promise<Response> {
    return Response.json(this.state.storage.sql.exec("SELECT * FROM strokes").toArray());
  }
}
