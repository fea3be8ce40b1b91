import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-noenc'];

export interface Certificate {
  readonly certFile: string;
  readonly keyFile: string;
  readonly cert: Buffer;
  readonly key: Buffer;
}

/** Makes certificates with openssl, in a directory of the test. */
export class CertificateAuthority {
  readonly own: Certificate;
  readonly #directory: string;

  private constructor(directory: string, own: Certificate) {
    this.#directory = directory;
    this.own = own;
  }

  static async create(directory: string, name: string): Promise<CertificateAuthority> {
    const own = await make(directory, name, ['-subj', `/CN=${name}`]);
    return new CertificateAuthority(directory, own);
  }

  /** A certificate for a server with these names, such as `IP:127.0.0.1` and `DNS:kube.test`. */
  server(name: string, alternatives: readonly string[]): Promise<Certificate> {
    return this.#issue(name, ['-addext', `subjectAltName=${alternatives.join(',')}`]);
  }

  /** A certificate by which a client shows who it is. */
  client(user: string): Promise<Certificate> {
    return this.#issue(user, ['-addext', 'extendedKeyUsage=clientAuth']);
  }

  #issue(name: string, extensions: readonly string[]): Promise<Certificate> {
    const { certFile, keyFile } = this.own;
    return make(this.#directory, name, [
      ...['-subj', `/CN=${name}`, '-CA', certFile, '-CAkey', keyFile],
      ...['-addext', 'basicConstraints=critical,CA:FALSE'],
      ...extensions,
    ]);
  }
}

async function make(
  directory: string,
  name: string,
  options: readonly string[],
): Promise<Certificate> {
  const certFile = join(directory, `${name}.crt`);
  const keyFile = join(directory, `${name}.key`);
  const out = ['-days', '2', '-out', certFile, '-keyout', keyFile];
  await run('openssl', ['req', '-x509', ...KEY, ...out, ...options]);
  return { certFile, keyFile, cert: await readFile(certFile), key: await readFile(keyFile) };
}
