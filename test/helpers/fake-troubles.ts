import { TLSSocket } from 'node:tls';
import { send, type Trouble } from './fake-apiserver.ts';
import { failure } from './fake-objects.ts';

/** Answers with a failure and does nothing. */
export const refuse =
  (status: number, reason: string, headers: Readonly<Record<string, string>> = {}): Trouble =>
  ({ response }) => {
    send(response, failure(status, reason), headers);
  };

/** Answers as usual and then does something behind the client's back. */
export const answerThen =
  (action: () => void): Trouble =>
  ({ response, carryOut }) => {
    send(response, carryOut());
    action();
  };

/** Breaks the connection before anything was done; resets it where Node.js can, which is without TLS. */
export const reset: Trouble = ({ response: { socket } }) => {
  if (socket instanceof TLSSocket) socket.destroy();
  else socket?.resetAndDestroy();
};

/** Does what was asked and then breaks the connection instead of answering. */
export const loseAnswer: Trouble = ({ response, carryOut }) => {
  carryOut();
  response.socket?.destroy();
};

/** Does what was asked, but tells the client that it took too long. */
export const answerLate: Trouble = ({ response, carryOut }) => {
  carryOut();
  send(response, failure(504, 'Timeout'));
};

/** Breaks the connection half-way through the answer. */
export const cutAnswer: Trouble = ({ response, carryOut }) => {
  const text = JSON.stringify(carryOut().body);
  response.writeHead(200, { 'content-length': text.length });
  response.write(text.slice(0, text.length / 2), () => response.socket?.destroy());
};

/** Says that all is well and sends half of the JSON as if that were the whole answer. */
export const garbleAnswer: Trouble = ({ response, carryOut }) => {
  const text = JSON.stringify(carryOut().body);
  response.writeHead(200).end(text.slice(0, text.length / 2));
};

/** Never answers. */
export const silence: Trouble = () => undefined;
