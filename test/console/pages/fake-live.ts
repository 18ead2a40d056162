/** Replaces the engine at the socket of the live page, so that a test decides which messages the page receives. */
import type { Page, WebSocketRoute } from 'playwright-core';

export interface FakeLive {
  /** Addresses of the sockets that the page opened. */
  readonly addresses: string[];
  /** Texts that the page sent. */
  readonly texts: { type: string; [name: string]: unknown }[];
  /** Lengths in bytes of the binary messages that the page sent. */
  readonly sizes: number[];
  /** Whether the engine accepts sockets. */
  reachable: boolean;
  /** Whether the engine confirms the audio that it gets. */
  confirms: boolean;
  send(message: object): void;
  /** Closes the socket as a lost connection does. */
  cut(): Promise<void>;
}

export const conversation = '0b6f3a52-1c6e-4c8e-9d0f-5a1e2b3c4d5e';

export const fakeLive = async (page: Page): Promise<FakeLive> => {
  let open: WebSocketRoute | undefined;
  const live: FakeLive = {
    addresses: [],
    texts: [],
    sizes: [],
    reachable: true,
    confirms: true,
    send: (message) => open?.send(JSON.stringify(message)),
    cut: async () => {
      await open?.close({ code: 3006 });
      open = undefined;
    },
  };
  await page.routeWebSocket(/\/v4\/web\/listen/, (socket) => {
    live.addresses.push(socket.url());
    if (!live.reachable) {
      void socket.close({ code: 3006 });
      return;
    }
    open = socket;
    const query = new URL(socket.url()).searchParams;
    const stated = Number(query.get('clock_at'));
    const bytesPerMs = query.get('channels') === '2' ? 64 : 32;
    let bytes = 0;
    const resumed = { type: 'conversation_session', conversation_id: conversation, status: 'in_progress' };
    socket.onMessage((data) => {
      if (typeof data === 'string') {
        const text = JSON.parse(data) as FakeLive['texts'][number];
        live.texts.push(text);
        if (text.type !== 'auth') return;
        socket.send(JSON.stringify({ type: 'auth_response', success: true }));
        socket.send(JSON.stringify({ ...resumed, resume_at_ms: stated }));
        return;
      }
      live.sizes.push(data.length);
      bytes += data.length;
      if (!live.confirms || live.sizes.length % 25 > 0) return;
      const confirmed = stated + Math.floor(bytes / bytesPerMs / 120) * 120;
      socket.send(JSON.stringify({ type: 'audio_confirmed', confirmed_ms: confirmed }));
    });
    socket.onClose((code, reason) => void socket.close({ code: code ?? 1000, reason: reason ?? '' }));
  });
  return live;
};
