/** The signals that ask sim to stop. */
export type StopSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

export interface Signals {
  /** Calls the listener for every stop signal until the returned function is called. */
  onStop(listener: (signal: StopSignal) => void): () => void;
}

const STOP_SIGNALS: readonly StopSignal[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

export const realSignals: Signals = {
  onStop(listener) {
    const handlers = STOP_SIGNALS.map((signal) => {
      const handler = (): void => {
        listener(signal);
      };
      process.on(signal, handler);
      return { signal, handler };
    });
    return () => {
      for (const { signal, handler } of handlers) process.off(signal, handler);
    };
  },
};
