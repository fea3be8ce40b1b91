const SHA256 = /^[0-9a-f]{64}$/i;

/**
 * The sha256 of one file in a publisher's checksum file: either the bare number (Kubernetes' `.sha256` files) or
 * lines of `sha256sum` (`<number>  <name>`, the name of a binary file with `*` before it). In lower case;
 * undefined when the file says nothing about that name.
 */
export function checksumFor(text: string, fileName: string): string | undefined {
  const bare = text.trim();
  if (SHA256.test(bare)) return bare.toLowerCase();
  for (const line of text.split('\n')) {
    const [number = '', name = ''] = line.trim().split(/\s+/);
    if (SHA256.test(number) && name.replace(/^\*/, '') === fileName) return number.toLowerCase();
  }
  return undefined;
}
