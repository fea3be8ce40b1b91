import { formatDuration } from '../base/duration.ts';

/** A line of progress, behind the time that has passed since its program began: `[ 12.3s] …`. */
export const stampedLine = (sinceMs: number, line: string): string =>
  `[${formatDuration(sinceMs).padStart(6)}] ${line}`;
