import { SimError } from '../base/errors.ts';
import type { Terminal } from '../host/terminal.ts';

/** What failed and why, what there is to see, and what to do. The stack only where sim itself is at fault. */
export function printError(terminal: Terminal, error: unknown): void {
  if (!(error instanceof SimError)) {
    terminal.err(
      `SIM_BUG ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
    );
    return;
  }
  terminal.err(`${error.code} ${error.message}`);
  for (const line of error.details) terminal.err(`  ${line}`);
  if (error.hint !== undefined) terminal.err(`  hint: ${error.hint}`);
  if (error.code === 'SIM_BUG' && error.stack !== undefined) terminal.err(error.stack);
}
