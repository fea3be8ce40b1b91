import { once } from 'node:events';
import { createServer, request, type IncomingMessage } from 'node:http';
import { reasonOf, SimError } from '../base/errors.ts';

const LONGEST_BODY = 64_000;
const TIMEOUT_MS = 30_000;

/** Answers a request for something; what it throws is answered as the reason of a refusal. */
export type ControlHandler = (wanted: unknown) => Promise<string>;

/**
 * Listens on a Unix socket that only its owner may use, in a directory that is there. Takes JSON, answers a line of text.
 * Answers a function that ends it.
 */
export async function serveControl(
  path: string,
  handler: ControlHandler,
): Promise<() => Promise<void>> {
  const server = createServer((incoming, response) => {
    void (async () => {
      try {
        response.end(await handler(JSON.parse(await bodyOf(incoming))));
      } catch (error) {
        response.writeHead(400).end(reasonOf(error));
      }
    })();
  });
  const umask = process.umask(0o177); // the file is made inside `listen`, before it returns
  try {
    server.listen(path);
  } finally {
    process.umask(umask);
  }
  await once(server, 'listening');
  return async () => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
}

async function bodyOf(incoming: IncomingMessage): Promise<string> {
  let text = '';
  for await (const piece of incoming.setEncoding('utf8') as AsyncIterable<string>) {
    text += piece;
    if (text.length > LONGEST_BODY) throw new Error('the request is too long');
  }
  return text;
}

/** Asks whoever listens there. Throws SIM_USAGE with the reason of a refusal, SIM_TIMEOUT when nobody answers. */
export async function askControl(path: string, wanted: unknown): Promise<string> {
  const asked = request({ socketPath: path, method: 'POST', timeout: TIMEOUT_MS });
  asked.on('timeout', () => asked.destroy(new Error('there was no answer in time')));
  asked.end(JSON.stringify(wanted));
  try {
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    const text = await bodyOf(response);
    if (response.statusCode === 200) return text;
    throw new SimError('SIM_USAGE', text);
  } catch (error) {
    if (error instanceof SimError) throw error;
    throw new SimError('SIM_TIMEOUT', `the run does not answer: ${reasonOf(error)}`, {
      cause: error,
    });
  }
}
