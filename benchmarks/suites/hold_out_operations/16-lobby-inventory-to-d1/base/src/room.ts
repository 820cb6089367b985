export class Room {
  private sockets: WebSocket[] = [];

  async fetch(_req: Request): Promise<Response> {
    const [client, server] = Object.values(new WebSocketPair());
    server.accept();
    this.sockets.push(server);
    return new Response(null, { status: 101, webSocket: client });
  }
}
