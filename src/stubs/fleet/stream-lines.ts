import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Sends lines as they come, no faster than the reader takes them, until there are no more or the reader is gone. */
export async function streamLines(
  lines: AsyncIterable<string>,
  response: ServerResponse,
): Promise<void> {
  response.setHeader('connection', 'close'); // it ends with the fleet, and must not keep it
  response.flushHeaders(); // there may be no line for long, and the reader shall know that it is heard
  try {
    await pipeline(Readable.from(lines, { highWaterMark: 1 }), response);
  } catch {
    // The reader is gone. It will ask again from where it was.
  }
}
