/**
 * Every run has a /16 of loopback addresses of its own, `127.B.0.0/16`, and every fake node one address in it: node
 * i is `127.B.(i>>8).(i&255)`.
 */
export function nodeAddress(network: string, index: number): string {
  const [a = '127', b = '0'] = network.split('.');
  return `${a}.${b}.${index >> 8}.${index & 255}`;
}
