import type { ServerResponse } from 'node:http';
import type { WatchEventType } from '../../src/sim/kube/reflector.ts';
import type { KubeObject } from '../../src/sim/kube/objects.ts';
import type { SeenRequest } from './fake-apiserver.ts';

/** One open watch, from the server's side. */
export class FakeWatch {
  readonly request: SeenRequest;
  readonly #response: ServerResponse;
  #isOver = false;

  constructor(request: SeenRequest, response: ServerResponse) {
    this.request = request;
    this.#response = response;
    response.once('close', () => {
      this.#isOver = true;
    });
    response.writeHead(200, { 'content-type': 'application/json' }).flushHeaders();
  }

  /** Whether either side has ended it. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** The version from which the client wanted to go on. */
  get fromVersion(): string | null {
    return this.request.query.get('resourceVersion');
  }

  event(type: WatchEventType, object: KubeObject): void {
    this.line(JSON.stringify({ type, object }));
  }

  bookmark(resourceVersion: string): void {
    this.line(JSON.stringify({ type: 'BOOKMARK', object: { metadata: { resourceVersion } } }));
  }

  /** What the API server sends into a watch that it cannot serve any longer. */
  error(code: number, reason: string): void {
    const object = { kind: 'Status', status: 'Failure', code, reason, message: `${reason}: 1 (9)` };
    this.line(JSON.stringify({ type: 'ERROR', object }));
  }

  line(text: string): void {
    this.raw(`${text}\n`);
  }

  raw(text: string): void {
    this.#response.write(text);
  }

  /** Ends the answer as the server does when a watch has lasted long enough. */
  end(): void {
    this.#response.end();
  }

  /** Breaks the connection in the middle of the answer. */
  cut(): void {
    this.#response.socket?.destroy();
  }
}
