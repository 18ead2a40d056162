import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Handles an upgrade request that no route supports as an ordinary request, without its `Upgrade` header. HTTP permits
 * this.
 *
 * Before the body is read, `node:http` detaches its parser from the connection of such a request. This function
 * therefore emits the connection again as a new one, whose first bytes are the head of the request.
 * @param head bytes that arrived behind the request.
 */
export const asOrdinaryRequest = (
  server: Server,
  isSecure: boolean,
  message: IncomingMessage,
  socket: Socket,
  head: Buffer,
): void => {
  const { method, url, httpVersion, rawHeaders } = message;
  const lines = [`${method} ${url} HTTP/${httpVersion}`];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    if (name.toLowerCase() !== 'upgrade') lines.push(`${name}: ${rawHeaders[index + 1]}`);
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  server.emit(isSecure ? 'secureConnection' : 'connection', socket);
};
