import { expect } from 'chai';
import { watchLines, type TimedLine } from '../../../../src/sim/kube/watch-lines.ts';

/** Each chunk arrives one millisecond after the one before it. */
async function linesOf(...chunks: readonly (string | Buffer)[]): Promise<readonly TimedLine[]> {
  let nowMs = 0;
  async function* body(): AsyncGenerator<Buffer> {
    for (const chunk of chunks) {
      await Promise.resolve();
      nowMs++;
      yield Buffer.from(chunk);
    }
  }
  const lines: TimedLine[] = [];
  for await (const line of watchLines(body(), () => nowMs)) lines.push(line);
  return lines;
}

const texts = (lines: readonly TimedLine[]): readonly string[] => lines.map(({ line }) => line);

describe('watchLines', () => {
  it('finds several lines in one chunk, with the same time of arrival', async () => {
    expect(await linesOf('a\nb\nc\n')).to.deep.equal([
      { line: 'a', arrivedAt: 1 },
      { line: 'b', arrivedAt: 1 },
      { line: 'c', arrivedAt: 1 },
    ]);
  });

  it('puts a line together from chunks, and dates it by the last one', async () => {
    expect(await linesOf('{"a', '":', '1}\n')).to.deep.equal([{ line: '{"a":1}', arrivedAt: 3 }]);
  });

  it('ends one line and begins the next in the same chunk', async () => {
    expect(await linesOf('a', 'b\nc', 'd\n')).to.deep.equal([
      { line: 'ab', arrivedAt: 2 },
      { line: 'cd', arrivedAt: 3 },
    ]);
  });

  it('does not break a letter that is cut by the end of a chunk', async () => {
    const bytes = Buffer.from('ä€𝕏\n');
    for (let cut = 1; cut < bytes.length; cut++)
      expect(texts(await linesOf(bytes.subarray(0, cut), bytes.subarray(cut)))).to.eql(['ä€𝕏']);
  });

  it('takes a newline that comes alone', async () => {
    expect(texts(await linesOf('a', '\n', 'b', '\n'))).to.deep.equal(['a', 'b']);
  });

  it('leaves out empty lines', async () => {
    expect(texts(await linesOf('\n\na\n', '\n'))).to.deep.equal(['a']);
  });

  it('gives nothing for what stands after the last newline', async () => {
    expect(texts(await linesOf('a\n{"type":"ADD'))).to.deep.equal(['a']);
    expect(texts(await linesOf('half'))).to.deep.equal([]);
    expect(texts(await linesOf())).to.deep.equal([]);
  });
});
