import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Hands a request for an upgrade that is not offered back to the server, without its `Upgrade` header: HTTP lets a server
 * ignore it. `node:http` takes its parser off such a connection before anything of the body is read, so the connection is
 * handed to the server once more, as a new one whose first bytes are the request's head.
 * @param head bytes that came behind the request.
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
