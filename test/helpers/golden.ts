import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

const ROOT = new URL('../golden/', import.meta.url);

/** Holds a text against a file of test/golden/. With UPDATE_GOLDEN=1 the file is written anew instead. */
export function expectGolden(name: string, text: string): void {
  const path = fileURLToPath(new URL(name, ROOT));
  if (process.env['UPDATE_GOLDEN'] === '1') {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return;
  }
  const golden = existsSync(path) ? readFileSync(path, 'utf8') : '';
  expect(text, `test/golden/${name}; UPDATE_GOLDEN=1 writes it anew`).to.equal(golden);
}
