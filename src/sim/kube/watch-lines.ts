/** A line of a watch, with the moment its bytes arrived. */
export interface TimedLine {
  readonly line: string;
  readonly arrivedAt: number;
}

/**
 * Splits a watch's body into lines. What stands after the last newline when the connection ends is no line: the
 * event is sent again when the watch is taken up again.
 */
export async function* watchLines(
  body: AsyncIterable<Buffer>,
  now: () => number,
): AsyncGenerator<TimedLine> {
  let rest: Buffer[] = [];
  for await (const chunk of body) {
    const arrivedAt = now();
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      const piece = chunk.subarray(start, end);
      const line = rest.length === 0 ? piece : Buffer.concat([...rest, piece]);
      rest = [];
      start = end + 1;
      if (line.length > 0) yield { line: line.toString('utf8'), arrivedAt };
    }
    if (start < chunk.length) rest.push(chunk.subarray(start));
  }
}
